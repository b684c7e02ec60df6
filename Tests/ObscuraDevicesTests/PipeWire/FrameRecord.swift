// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import ObscuraCapture
import ObscuraMedia

/// Keeps account of what a run delivers, and judges the colors of the frames.
final class FrameRecord: CaptureSink {
    struct Account {
        var frames = 0
        var encoded = 0
        var lost = 0
        var gaps: UInt64 = 0
        var sequences: [UInt64] = []
        var wrongColors = 0
        var sizes: Set<PixelSize> = []
        var turns: Set<Orientation> = []
        var mirrored = 0
        var estimated = 0
        var encodedBytes: [UInt8] = []
        /// Interruptions, `resumed`, and `end`.
        var events: [String] = []
        var samples: [Float] = []
        var soundGaps: UInt64 = 0
        var error: ObscuraError?
    }

    let account = Lock(Account())
    let pool = PixelBufferPool(capacity: 4)
    var wantsAudio: Bool { true }
    /// Called with each frame, before it is released.
    private let body: @Sendable (VideoFrame) -> Void
    /// The difference between the producer's number of a stream's first frame and the run's, by the frame's color.
    private let first = Lock<UInt64?>(nil)

    init(_ body: @escaping @Sendable (VideoFrame) -> Void = { _ in }) {
        self.body = body
    }

    func receive(_ frame: VideoFrame, buffersLeft: Int?) {
        let color = frame.buffer.firstColor
        let isYUV = frame.buffer.format.isYUV
        // Numbers begin at 0 in each run, the producer's colors anywhere, and again after each interruption: nobody
        // counts what the producer sends until the next stream.
        let begin = first.withLock { first -> UInt64? in
            if first == nil {
                first = (0..<1400).first {
                    PipeWireTestCamera.color(of: $0, isYUV: isYUV) == color
                }.map { $0 &- frame.sequence }
            }
            return first
        }
        let isRight = begin.map { PipeWireTestCamera.color(of: $0 &+ frame.sequence, isYUV: isYUV) == color } ?? false
        account.withLock { account in
            account.frames += 1
            account.gaps += frame.attachments.gap
            account.sequences.append(frame.sequence)
            account.sizes.insert(PixelSize(width: frame.buffer.width, height: frame.buffer.height))
            account.turns.insert(frame.attachments.uprightTurn)
            if frame.attachments.isMirrored { account.mirrored += 1 }
            if frame.attachments.isHostTimeEstimated { account.estimated += 1 }
            if !isRight { account.wrongColors += 1 }
        }
        body(frame)
    }

    func receive(_ frame: EncodedFrame) {
        account.withLock {
            $0.encoded += 1
            $0.encodedBytes = frame.data
        }
    }

    func receive(_ sound: AudioBuffer) {
        account.withLock { account in
            account.soundGaps += sound.attachments.gap
            if case .float32(let samples) = sound.samples, account.samples.count < 960_000 {
                account.samples += samples
            }
        }
    }

    func loseFrame(sequence: UInt64?, gap: UInt64) {
        account.withLock {
            $0.lost += 1
            $0.gaps += gap
        }
    }

    func interrupted(_ reason: InterruptionReason) {
        first.withLock { $0 = nil }
        note(reason.rawValue)
    }
    func resumed() { note("resumed") }
    func finish(throwing error: ObscuraError?) {
        account.withLock { $0.error = error }
        note("end")
    }

    private func note(_ word: String) {
        account.withLock { $0.events.append(word) }
    }

    var frames: Int { account.withLock { $0.frames } }
    var events: [String] { account.withLock { $0.events } }
}

extension PixelBuffer {
    /// The color of the first pixel: Y, Cb, Cr, or red, green, blue.
    var firstColor: [UInt8] {
        let byte = { (plane: Int, index: Int) in
            self.withBytes(ofPlane: plane) { $0.unsafeLoad(fromByteOffset: index, as: UInt8.self) }
        }
        let places: [(plane: Int, index: Int)] =
            switch format {
            case .yuyv: [(0, 0), (0, 1), (0, 3)]
            case .uyvy: [(0, 1), (0, 0), (0, 2)]
            case .yvyu: [(0, 0), (0, 3), (0, 1)]
            case .nv12: [(0, 0), (1, 0), (1, 1)]
            case .nv21: [(0, 0), (1, 1), (1, 0)]
            case .i420: [(0, 0), (1, 0), (2, 0)]
            case .rgb24, .rgba, .rgbx: [(0, 0), (0, 1), (0, 2)]
            case .bgr24, .bgra, .bgrx: [(0, 2), (0, 1), (0, 0)]
            case .argb, .xrgb: [(0, 1), (0, 2), (0, 3)]
            case .abgr, .xbgr: [(0, 3), (0, 2), (0, 1)]
            default: []
            }
        return places.map(byte)
    }
}
