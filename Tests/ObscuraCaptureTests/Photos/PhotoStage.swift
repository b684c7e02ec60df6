// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import ObscuraImaging
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraCapture

/// A camera driven by hand whose pictures show their numbers, and an output that takes photos of it.
final class PhotoStage: Sendable {
    static let small = VideoFormat(pixelFormat: .i420, width: 320, height: 240, frameRate: FrameRate(30))
    static let large = VideoFormat(pixelFormat: .i420, width: 640, height: 480, frameRate: FrameRate(15))

    let camera: StageCamera
    let output: PhotoOutput
    let session = CaptureSession()

    init(
        recentFrames: Int = 3, patience: Duration = .seconds(60), formats: [VideoFormat] = [PhotoStage.small],
        table: ControlTable? = nil, colorSpace: ColorSpace? = nil, name: String = #function, starts: Bool = true
    ) async throws {
        camera = StageCamera(formats: formats, table: table, name: name)
        output = PhotoOutput(recentFrames: recentFrames, patience: patience)
        let camera = camera
        let output = output
        try await session.configure { configuration in
            let input = try CaptureDeviceInput(device: CaptureDevice(driver: camera), colorSpace: colorSpace)
            try configuration.addInput(input)
            try configuration.setFormat(formats[0], for: input)
            try configuration.addOutput(output)
        }
        if starts { try await session.start() }
    }

    /// Has frames with these numbers come, and waits until the output has them.
    func give(_ numbers: Range<Int>) async throws {
        for number in numbers {
            try camera.give(number)
            let time = MediaTime(value: Int64(number), timescale: 30)
            try #require(await becomes { self.output.tap.last?.time == time })
        }
    }

    /// When the frame with this number was taken.
    func moment(of number: Int) -> HostTime { camera.moment(of: number) }

    /// The number that a photo shows.
    static func number(of photo: Photo) throws -> UInt64? {
        let picture =
            photo.format.kind == .jpeg ? try JPEGDecoder.decode(photo.data) : try PNGDecoder.decode(photo.data)
        return PatternScene.readSequence(of: picture)
    }

    /// The code of the error that `body` throws.
    static func failure<R>(_ body: () async throws -> R) async -> ObscuraError.Code? {
        do { _ = try await body() } catch { return (error as? ObscuraError)?.code }
        return nil
    }

    /// Waits until so many wait for a frame.
    func waits(_ count: Int = 1) async -> Bool {
        await becomes { self.output.tap.waitingCount == count }
    }

    func stop() async {
        await session.stop()
        session.expectBalance()
    }
}

/// Gives a numbered picture in the mode that runs when it is told to; with controls, if it was given some.
final class StageCamera: CaptureDriver {
    let uniqueID: String
    let formats: [VideoFormat]
    let table: ControlTable?
    /// The first frame's moment, long enough ago for all that are given to be past.
    private let begin = HostTime.now + .seconds(-3600)
    private let runs = Lock<[HandRun]>([])
    /// Whether its pictures are black.
    let isDark = Lock(false)
    let refusals = Lock<@Sendable (VideoFormat) -> ObscuraError?>({ _ in nil })
    /// Frames are handed over as compressed ones.
    let isCompressed = Lock(false)
    /// A change of each compressed frame.
    let change = Lock<@Sendable ([UInt8]) -> [UInt8]>({ $0 })
    let attachments = Lock(VideoFrame.Attachments())

    init(formats: [VideoFormat], table: ControlTable?, name: String) {
        uniqueID = "stage:\(name)"
        self.formats = formats
        self.table = table
    }

    var localizedName: String { "Stage" }
    var manufacturer: String? { "Acme" }
    var modelID: String? { "acme:1" }
    var modes: [VideoFormat] { runs.withLock { $0.map(\.format) } }
    var sink: (any CaptureSink)? { runs.withLock { $0.last }?.sink }

    func makeRun(_ request: RunRequest, sink: any CaptureSink, clock: any CaptureClock) -> any CaptureRun {
        let run = HandRun(
            format: request.videoFormat ?? formats[0], sink: sink,
            start: { [refusals] format, _ in
                if let refusal = refusals.withLock({ $0 })(format) { throw refusal }
                return format
            }, onStop: {})
        runs.withLockSignalling { $0.append(run) }
        return run
    }

    func openControls() throws(ObscuraError) -> any DeviceControls {
        guard let table else {
            throw ObscuraError(.capture, .unsupportedControl, subject: localizedName, reason: "it has no controls")
        }
        return table
    }

    func moment(of number: Int) -> HostTime {
        begin + MediaTime(value: Int64(number), timescale: 30).duration
    }

    func picture(_ number: Int) throws -> PixelBuffer {
        let size = try #require(runs.withLock { $0.last }).format.size
        let time = MediaTime(value: Int64(number), timescale: 30)
        if isDark.withLock({ $0 }) {
            return try PixelBuffer(format: .i420, width: size.width, height: size.height)
        }
        // Without a pool: as a driver's memory it must be copied to be kept.
        return try PatternScene(size: size).draw(sequence: UInt64(number), time: time)
    }

    func give(_ number: Int, at moment: HostTime? = nil) throws {
        let time = MediaTime(value: Int64(number), timescale: 30)
        let picture = try picture(number)
        let moment = moment ?? self.moment(of: number)
        let notes = attachments.withLock { $0 }
        if isCompressed.withLock({ $0 }) {
            let data = change.withLock({ $0 })(try JPEGEncoder(quality: 95).encode(picture))
            let frame = EncodedFrame(
                format: .mjpeg, data: data, width: picture.width, height: picture.height, isKeyFrame: true,
                presentationTime: time, hostTime: moment, sequence: UInt64(number), attachments: notes)
            sink?.receive(frame)
        } else {
            let frame = VideoFrame(
                buffer: picture, presentationTime: time, hostTime: moment, sequence: UInt64(number), attachments: notes)
            sink?.receive(frame, buffersLeft: nil)
        }
    }
}
