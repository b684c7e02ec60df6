// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import AVFoundation
import Obscura
import ObscuraBase
import ObscuraMedia
import TestSupport
import Testing

/// The documented behavior of `AVCaptureMovieFileOutput`.
@Suite("AVCaptureMovieFileOutput") struct MovieFileOutputTests {
    let session = AVCaptureSession()
    let output = AVCaptureMovieFileOutput()
    let record = RecordingRecord()
    let folder: TemporaryFolder
    let camera: AVCaptureDevice

    init() throws {
        TestCameras.prepare
        folder = try TemporaryFolder()
        camera = try #require(AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back))
        session.addInput(try AVCaptureDeviceInput(device: camera))
        session.addOutput(output)
    }

    private func url(_ name: String) -> URL { URL(fileURLWithPath: folder(name)) }

    private func start() async { await onThread { [session] in session.startRunning() } }
    private func stop() async { await onThread { [session] in session.stopRunning() } }

    @Test("A movie is recorded from start to stop, with sound and metadata, and its delegate is told") func movie()
        async throws
    {
        let microphone = try #require(AVCaptureDevice.default(for: .audio))
        session.addInput(try AVCaptureDeviceInput(device: microphone))
        let title = AVMutableMetadataItem()
        title.identifier = .commonIdentifierTitle
        title.value = "Harbor" as NSString
        output.metadata = [title]
        await start()
        let url = url("movie.mov")
        #expect(!output.isRecording && output.outputFileURL == nil && output.recordedDuration == .zero)
        output.startRecording(to: url, recordingDelegate: record)
        #expect(output.isRecording && output.outputFileURL == url)
        #expect(await becomes { output.recordedDuration.seconds >= 0.3 && output.recordedFileSize > 0 })
        output.stopRecording()
        #expect(await becomes { record.now.hasEnded })
        await stop()
        #expect(record.now.events == ["started", "finished"] && record.now.urls == [url, url])
        #expect(record.now.error == nil && record.now.connections.allSatisfy { $0.count == 2 })
        #expect(!output.isRecording && output.recordedDuration == .zero)
        let info = try MovieInfo.read(url.path)
        #expect(info.format.size == PixelSize(width: 320, height: 240) && info.sound != nil)
        #expect(try MovieContents.read(url.path).metadata.title == "Harbor")
    }

    @Test("A recording ends at its maximum duration with an error, and the movie can be played") func maximum()
        async throws
    {
        output.maxRecordedDuration = CMTime(value: 1, timescale: 2)
        #expect(output.maxRecordedDuration == CMTime(value: 1, timescale: 2))
        await start()
        output.startRecording(to: url("short.mp4"), recordingDelegate: record)
        #expect(await becomes { record.now.hasEnded })
        await stop()
        let error = try #require(record.now.error)
        #expect(error.code == .maximumDurationReached && error.recordingSuccessfullyFinished == true)
        let values = (error as NSError).userInfo
        #expect((values[AVErrorRecordingSuccessfullyFinishedKey] as? NSNumber)?.boolValue == true)
        #expect((error as NSError).domain == AVFoundationErrorDomain)
        #expect(try MovieInfo.read(url("short.mp4").path).duration == MediaTime(value: 1, timescale: 2))
    }

    @Test("A pause leaves no gap, and is reported") func pause() async throws {
        await start()
        output.startRecording(to: url("pause.mov"), recordingDelegate: record)
        #expect(await becomes { output.recordedDuration > .zero })
        output.pauseRecording()
        #expect(await becomes { output.isRecordingPaused })
        #expect(output.isRecording)
        let paused = output.recordedDuration
        output.resumeRecording()
        #expect(await becomes { output.recordedDuration > paused && !output.isRecordingPaused })
        output.stopRecording()
        #expect(await becomes { record.now.hasEnded })
        await stop()
        #expect(record.now.events == ["started", "paused", "resumed", "finished"] && record.now.error == nil)
    }

    @Test("A file that exists is not replaced: the recording ends at once with an error") func existing() async throws {
        let url = url("old.mov")
        try Data("old".utf8).write(to: url)
        await start()
        output.startRecording(to: url, recordingDelegate: record)
        #expect(await becomes { record.now.hasEnded })
        await stop()
        #expect(record.now.events == ["finished"])
        #expect(
            record.now.error?.code == .fileAlreadyExists && record.now.error?.recordingSuccessfullyFinished == false)
        #expect(try Data(contentsOf: url) == Data("old".utf8))
    }

    @Test("An address that is no file is refused, and a second recording at the same time as well") func refused()
        async throws
    {
        let web = try #require(URL(string: "https://example.org/movie.mov"))
        output.startRecording(to: web, recordingDelegate: record)
        #expect(await becomes { record.now.hasEnded })
        await start()
        let (first, second) = (RecordingRecord(), RecordingRecord())
        output.startRecording(to: url("first.mov"), recordingDelegate: first)
        output.startRecording(to: url("second.mov"), recordingDelegate: second)
        #expect(await becomes { second.now.hasEnded })
        #expect(second.now.error != nil && !first.now.hasEnded && output.isRecording)
        #expect(await becomes { output.recordedDuration > .zero })
        output.stopRecording()
        #expect(await becomes { first.now.hasEnded })
        await stop()
        #expect(first.now.error == nil && first.now.urls.last == url("first.mov"))
    }

    @Test("A session that stops ends the recording with a complete movie") func sessionStop() async throws {
        await start()
        output.startRecording(to: url("stop.mov"), recordingDelegate: record)
        #expect(await becomes { output.recordedDuration > .zero })
        await stop()
        #expect(await becomes { record.now.hasEnded })
        #expect(record.now.error?.code == .sessionNotRunning && record.now.error?.recordingSuccessfullyFinished == true)
        #expect(try MovieInfo.read(url("stop.mov").path).codecName == "h264")
    }

    @Test("A recording that is stopped before the session ends without an error") func stopOrder() async throws {
        await start()
        output.startRecording(to: url("order.mov"), recordingDelegate: record)
        #expect(await becomes { output.recordedDuration > .zero })
        await onThread { [session, output] in
            output.stopRecording()
            session.stopRunning()
        }
        #expect(await becomes { record.now.hasEnded })
        #expect(record.now.error == nil)
    }

    @Test("Recordings one after the other have events of their own") func successive() async throws {
        await start()
        for number in 1...4 {
            let record = RecordingRecord()
            output.startRecording(to: url("\(number).mov"), recordingDelegate: record)
            #expect(await becomes { output.recordedDuration > .zero })
            output.stopRecording()
            #expect(await becomes { !output.isRecording })
            #expect(await becomes { record.now.hasEnded })
            #expect(record.now.events == ["started", "finished"] && record.now.error == nil)
            #expect(record.now.urls.allSatisfy { $0 == url("\(number).mov") })
        }
        await stop()
    }

    @Test("A recording that is stopped before its first frame has no data") func noData() async throws {
        output.startRecording(to: url("empty.mov"), recordingDelegate: record)
        output.stopRecording()
        #expect(await becomes { record.now.hasEnded })
        #expect(record.now.error?.code == .noDataCaptured && record.now.error?.recordingSuccessfullyFinished == false)
    }

    @Test("The output and the delegate are released after a recording") func released() async throws {
        weak var output: AVCaptureMovieFileOutput?
        weak var record: RecordingRecord?
        do {
            let (made, delegate) = (AVCaptureMovieFileOutput(), RecordingRecord())
            (output, record) = (made, delegate)
            session.addOutput(made)
            await start()
            made.startRecording(to: url("released.mov"), recordingDelegate: delegate)
            #expect(await becomes { made.recordedDuration > .zero })
            made.stopRecording()
            #expect(await becomes { delegate.now.hasEnded })
            await stop()
            session.removeOutput(made)
        }
        #expect(await becomes { output == nil && record == nil })
    }

    @Test("The codec of a connection is that of its settings; settings that are not supported change nothing")
    func settings() async throws {
        let connection = try #require(output.connection(with: .video))
        #expect(output.outputSettings(for: connection).isEmpty && output.availableVideoCodecTypes.contains(.jpeg))
        output.setOutputSettings([AVVideoCodecKey: AVVideoCodecType.jpeg], for: connection)
        output.setOutputSettings([AVVideoCodecKey: "none"], for: connection)
        #expect(output.outputSettings(for: connection)[AVVideoCodecKey] as? AVVideoCodecType == .jpeg)
        await start()
        output.startRecording(to: url("jpeg.mov"), recordingDelegate: record)
        #expect(await becomes { output.recordedDuration > .zero })
        output.stopRecording()
        #expect(await becomes { record.now.hasEnded })
        await stop()
        #expect(try MovieInfo.read(url("jpeg.mov").path).codecName == "mjpeg")
    }

    @Test("A movie continues in its size when the camera is switched") func cameraSwitch() async throws {
        await start()
        output.startRecording(to: url("switch.mov"), recordingDelegate: record)
        #expect(await becomes { output.recordedDuration > .zero })
        let front = try #require(AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .front))
        let (old, new) = (try #require(session.inputs.first), try AVCaptureDeviceInput(device: front))
        let before = output.recordedDuration
        await onThread { [session] in
            session.beginConfiguration()
            session.removeInput(old)
            session.addInput(new)
            session.commitConfiguration()
        }
        #expect(await becomes { output.recordedDuration.seconds > before.seconds + 0.2 })
        output.stopRecording()
        #expect(await becomes { record.now.hasEnded })
        await stop()
        #expect(record.now.error == nil)
        #expect(try MovieInfo.read(url("switch.mov").path).format.size == PixelSize(width: 320, height: 240))
    }

    @Test("Without limits the values are those of Apple's platforms") func limits() {
        #expect(!output.maxRecordedDuration.isValid && output.maxRecordedFileSize == 0)
        output.maxRecordedFileSize = 5_000_000
        output.minFreeDiskSpaceLimit = 1
        #expect(output.maxRecordedFileSize == 5_000_000 && output.minFreeDiskSpaceLimit == 1)
        output.maxRecordedFileSize = 0
        output.maxRecordedDuration = .invalid
        #expect(output.maxRecordedFileSize == 0 && !output.maxRecordedDuration.isValid)
    }
}
