// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import ObscuraCapture
import ObscuraMedia
import TestSupport

/// A camera that a test drives by hand: frames come when ``give(_:)`` says so, on the caller's thread.
final class HandCamera: CaptureDriver {
    typealias Start = @Sendable (VideoFormat, HandRun) throws -> VideoFormat

    let uniqueID: String
    let formats: [VideoFormat]
    let isLive: Bool
    let authorizationStatus: AuthorizationStatus
    private let access: @Sendable () async -> Bool
    private let start: Start
    private let onStop: @Sendable () -> Void
    private let decoders: (any FrameDecoderProvider)?
    private let state = Lock<(runs: [HandRun], sequence: UInt64)>(([], 0))
    /// How many of its pictures are held by anybody.
    let pictures = Lock(0)
    /// What its pictures show: tells cameras apart.
    let mark: UInt8

    init(
        _ name: String = "hand", mark: UInt8 = 1, formats: [VideoFormat] = [HandCamera.small], isLive: Bool = true,
        authorizationStatus: AuthorizationStatus = .authorized,
        requestAccess: @escaping @Sendable () async -> Bool = { true },
        start: @escaping Start = { format, _ in format }, onStop: @escaping @Sendable () -> Void = {},
        decoders: (any FrameDecoderProvider)? = nil
    ) {
        self.decoders = decoders
        uniqueID = "hand:\(name)"
        self.mark = mark
        self.formats = formats
        self.isLive = isLive
        self.authorizationStatus = authorizationStatus
        access = requestAccess
        self.start = start
        self.onStop = onStop
    }

    static let small = VideoFormat(pixelFormat: .gray8, width: 8, height: 4, frameRate: FrameRate(30))

    var localizedName: String { uniqueID }
    var device: CaptureDevice { CaptureDevice(driver: self) }
    func requestAccess() async -> Bool { await access() }
    func makeDecoder(for format: VideoFormat) throws(ObscuraError) -> (any FrameDecoder)? {
        try decoders?.makeDecoder(for: format)
    }

    func makeRun(_ request: RunRequest, sink: any CaptureSink, clock: any CaptureClock) -> any CaptureRun {
        let run = HandRun(format: request.videoFormat ?? formats[0], sink: sink, start: start, onStop: onStop)
        state.withLockSignalling { $0.runs.append(run) }
        return run
    }

    var runs: [HandRun] { state.withLock { $0.runs } }
    var sink: (any CaptureSink)? { runs.last?.sink }

    /// The picture of a frame; it is counted until its last holder lets go.
    func picture(_ size: PixelSize = PixelSize(width: 8, height: 4)) throws -> PixelBuffer {
        var picture = try PixelBuffer(format: .gray8, width: size.width, height: size.height)
        let mark = mark
        try picture.withMutableBytes(ofPlane: 0) { bytes in
            for offset in 0..<bytes.byteCount { bytes.storeBytes(of: mark, toByteOffset: offset, as: UInt8.self) }
        }
        pictures.withLock { $0 += 1 }
        return picture.lent { [pictures] in pictures.withLockSignalling { $0 -= 1 } }
    }

    /// Has so many frames come, 1/30 s apart by their stamps. Blocks while a lossless reader is behind.
    func give(_ count: Int = 1) throws {
        for _ in 0..<count {
            try give(at: MediaTime(value: Int64(state.withLock { $0.sequence }), timescale: 30))
        }
    }

    func give(
        at time: MediaTime, sequence: UInt64? = nil, attachments: VideoFrame.Attachments = .init(),
        buffersLeft: Int? = nil
    ) throws {
        let number = state.withLock { state in
            defer { state.sequence = (sequence ?? state.sequence) &+ 1 }
            return sequence ?? state.sequence
        }
        let frame = VideoFrame(
            buffer: try picture(), presentationTime: time, hostTime: HostTime(nanoseconds: time.nanoseconds),
            sequence: number, attachments: attachments)
        sink?.receive(frame, buffersLeft: buffersLeft)
    }
}

/// One run of a ``HandCamera``.
final class HandRun: CaptureRun {
    let format: VideoFormat
    /// Weak, since the camera keeps its runs, and a sink knows its camera.
    weak let sink: (any CaptureSink)?
    let cancels = Count()
    let stops = Count()
    private let begin: HandCamera.Start
    private let onStop: @Sendable () -> Void

    init(
        format: VideoFormat, sink: any CaptureSink, start: @escaping HandCamera.Start,
        onStop: @escaping @Sendable () -> Void
    ) {
        self.onStop = onStop
        self.format = format
        self.sink = sink
        begin = start
    }

    func start() throws -> SourceFormat { SourceFormat(video: try begin(format, self)) }
    func cancel() { cancels.add() }
    func stop() {
        cancels.add()
        onStop()
        stops.add()
    }
}

extension VideoFrame {
    /// Which camera took it.
    var mark: UInt8 {
        buffer.withBytes(ofPlane: 0) { $0.unsafeLoad(fromByteOffset: 0, as: UInt8.self) }
    }
}
