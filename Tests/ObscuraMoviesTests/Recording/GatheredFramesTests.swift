// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import ObscuraCapture
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraMovies

/// Copied frames that wait for their delivery when something ends.
@Suite(.hangLimit) struct GatheredFramesTests {
    enum End: CaseIterable {
        case stop, pause, removal, anotherCamera
    }

    @Test("A copied recording has all frames that came before an end", arguments: End.allCases)
    func end(_ end: End) async throws {
        let (camera, output, session) = (Camera("one"), MovieFileOutput(audio: nil), CaptureSession())
        let input = try CaptureDeviceInput(device: CaptureDevice(driver: camera))
        try await session.configure { configuration in
            try configuration.addInput(input)
            try configuration.addOutput(output)
        }
        try await session.start()
        var options = AssetWriter.Options()
        options.copiesVideo = true
        let (begin, events) = (output.events, output.events)
        try await output.startRecording(to: Recordings.path("copy.mp4"), options: options)
        camera.give()
        for await case .started in begin { break }
        for _ in 0..<5 { camera.give() }
        switch end {
        case .stop: break
        case .pause: await session.pause()
        case .removal: try await session.configure { $0.removeOutput(output) }
        case .anotherCamera:
            try await session.configure { configuration in
                configuration.removeInput(input)
                try configuration.addInput(CaptureDeviceInput(device: CaptureDevice(driver: Camera("two"))))
            }
        }
        await session.stop()
        let result = try await events.result()
        #expect(result.report?.videoFrameCount == 6, "\(result)")
    }
}

/// A camera whose JPEG frames come when a test says so.
private final class Camera: CaptureDriver {
    private final class Run: CaptureRun {
        weak let sink: (any CaptureSink)?

        init(_ sink: any CaptureSink) { self.sink = sink }

        func start() throws -> SourceFormat { SourceFormat(video: Camera.format) }
        func cancel() {}
        func stop() {}
    }

    static let format = VideoFormat(pixelFormat: .mjpeg, width: 24, height: 16, frameRate: FrameRate(30))

    let uniqueID: String
    let localizedName = "hand"
    let formats = [format]
    /// Its frames are from the second before now, so that all of them are before the end of a recording.
    private let state = Lock((run: Run?.none, time: HostTime.now + (.zero - .seconds(1))))

    init(_ name: String) { uniqueID = "hand:\(name)" }

    func makeRun(_ request: RunRequest, sink: any CaptureSink, clock: any CaptureClock) -> any CaptureRun {
        let run = Run(sink)
        state.withLock { $0.run = run }
        return run
    }

    func give() {
        let (run, time) = state.withLock { state in
            state.time = state.time + .milliseconds(33)
            return (state.run, state.time)
        }
        run?.sink?.receive(
            EncodedFrame(
                format: .mjpeg, data: CameraJPEG.progressive, width: 24, height: 16, isKeyFrame: true,
                presentationTime: time.mediaTime, hostTime: time))
    }
}
