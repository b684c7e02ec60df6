// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import ObscuraCapture
import ObscuraMedia
import TestSupport

/// A decoder whose frames say what becomes of them, and that a test can hold up.
final class HandDecoder: FrameDecoder, FrameDecoderProvider {
    /// What the first byte of a frame means. The second one is what its picture shows.
    enum Fate: UInt8 {
        /// A picture, at once.
        case picture
        /// The decoder refuses it.
        case refused
        /// A picture of which parts are missing.
        case damaged
        /// A picture that comes with the next frame, behind its picture.
        case delayed
        /// Nothing ever comes of it.
        case forgotten
    }

    private struct State {
        var isHeld = false
        var delayed: [DecodedFrame] = []
        var decoded: [UInt8] = []
        var drainedBefore: [Int] = []
    }

    private let state = Lock(State())
    /// Frames whose decoding has begun.
    let begun = Count()

    /// The second bytes of all frames that came.
    var decoded: [UInt8] { state.withLock { $0.decoded } }
    /// Before which frames it was drained, counted from 0.
    var drainedBefore: [Int] { state.withLock { $0.drainedBefore } }
    /// Whether decoding goes no further than to its beginning.
    var isHeld: Bool {
        get { state.withLock { $0.isHeld } }
        set { state.withLockSignalling { $0.isHeld = newValue } }
    }

    func makeDecoder(for format: VideoFormat) throws(ObscuraError) -> (any FrameDecoder)? { self }

    func decode(_ frame: EncodedFrame, id: UInt64) throws(ObscuraError) -> [DecodedFrame] {
        begun.add()
        _ = state.wait(until: .now + waitLimit) { $0.isHeld ? nil : true }
        let mark = frame.data[1]
        let whole = DecodedFrame(id: id, picture: Self.picture(mark))
        return try state.withLock { state throws(ObscuraError) in
            state.decoded.append(mark)
            let fate = Fate(rawValue: frame.data[0])
            let delayed = state.delayed
            state.delayed = fate == .delayed ? [whole] : []
            switch fate {
            case .picture: return [whole] + delayed
            case .damaged: return [DecodedFrame(id: id, picture: nil)] + delayed
            case .delayed: return delayed
            case .forgotten: return []
            case .refused, nil: throw ObscuraError(.capture, .unreadable, subject: "hand", reason: "it is refused")
            }
        }
    }

    func drain() -> [DecodedFrame] {
        state.withLock { state in
            state.drainedBefore.append(state.decoded.count)
            defer { state.delayed = [] }
            return state.delayed
        }
    }

    private static func picture(_ mark: UInt8) -> PixelBuffer? {
        var picture = try? PixelBuffer(format: .gray8, width: 8, height: 4)
        try? picture?.withMutableBytes(ofPlane: 0) { $0.storeBytes(of: mark, toByteOffset: 0, as: UInt8.self) }
        return picture
    }
}

extension HandCamera {
    static let compressed = VideoFormat(pixelFormat: .h264, width: 8, height: 4, frameRate: FrameRate(30))

    /// A camera that sends frames that refer to others.
    static func compressed(_ decoder: HandDecoder, isLive: Bool = true) -> HandCamera {
        HandCamera(formats: [compressed], isLive: isLive, decoders: decoder)
    }

    /// Has a compressed frame come, 1/30 s behind the one with the number before.
    func send(
        _ number: UInt64, isKey: Bool = false, _ fate: HandDecoder.Fate = .picture, length: Int = 2,
        attachments: VideoFrame.Attachments = .init()
    ) {
        let time = MediaTime(value: Int64(number), timescale: 30)
        let data = [fate.rawValue, UInt8(truncatingIfNeeded: number)] + [UInt8](repeating: 0, count: length - 2)
        sink?.receive(
            EncodedFrame(
                format: .h264, data: data, width: 8, height: 4, isKeyFrame: isKey, presentationTime: time,
                hostTime: HostTime(nanoseconds: time.nanoseconds), duration: MediaTime(value: 1, timescale: 30),
                sequence: number, attachments: attachments))
    }
}
