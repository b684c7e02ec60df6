// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraBase
import ObscuraCapture
import ObscuraMedia
import ObscuraMovies
import TestSupport
import Testing

@testable import ObscuraBroadcast

/// What whoever asks the RTSP server of this machine finds. More is in Tests/Broadcast.
@Suite(.hangLimit, .withoutThreadSanitizer) struct RTSPServerTests {
    private let address: String
    private let destination: BroadcastDestination

    init() throws {
        let script = "import socket; print(socket.create_server(('127.0.0.1', 0)).getsockname()[1])"
        let port = String(decoding: try Tool.run("python3", ["-c", script]), as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        destination = try .rtspServer(at: "127.0.0.1:\(port)")
        address = try #require(destination.servedAddress)
    }

    /// What a player finds, as soon as there is a server; nil while it has not answered.
    private func probe() -> Lock<String?> {
        let found = Lock<String?>(nil)
        let isStarted = WorkerThread.detach(name: "probe") { [address] in
            let end = HostTime.now + waitLimit
            var words = "nothing"
            while HostTime.now < end {
                let command = [
                    "ffprobe", "-v", "error", "-rtsp_transport", "tcp", "-show_entries", "stream=codec_name", "-of",
                    "csv=p=0", address,
                ]
                guard let outcome = try? Tool.spawn(command) else { break }
                words = outcome.code == 0 ? String(decoding: outcome.output, as: UTF8.self) : outcome.errors
                if outcome.code == 0 { break }
            }
            found.withLock { $0 = words }
        }
        #expect(isStarted)
        return found
    }

    @Test(arguments: [VideoCodec.h264, .hevc].filter(\.mayEncodeHere))
    func `Pictures are served without the sound that never came`(codec: VideoCodec) async throws {
        var settings = BroadcastSettings()
        settings.video.codec = codec
        let writer = try BroadcastWriter(to: [destination], settings: settings)
        let output = VideoDataOutput(name: "frames")
        let camera = PatternDriver(size: PixelSize(width: 320, height: 180), frameRate: FrameRate(30))
        let session = try await CaptureSession.of(camera, [output])
        try await session.start()
        let found = probe()
        for try await frame in output.frames {
            _ = try writer.tryAppend(frame)
            if found.withLock({ $0 != nil }) { break }
        }
        let statistics = await writer.finish()
        await session.stop()
        #expect(found.withLock { $0 } == "\(codec.rawValue)\n")
        #expect(statistics.destinations.first?.state == .ended)
    }

    @Test func `Sound alone is served`() async throws {
        let writer = try BroadcastWriter(to: [destination], hasVideo: false)
        let output = AudioDataOutput(name: "sound")
        let session = try await CaptureSession.of(ToneDriver(), [output])
        try await session.start()
        let found = probe()
        for try await buffer in output.buffers {
            _ = try writer.tryAppend(buffer)
            if found.withLock({ $0 != nil }) { break }
        }
        await writer.finish()
        await session.stop()
        #expect(found.withLock { $0 } == "aac\n")
    }
}
