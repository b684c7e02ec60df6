// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Obscura
import ObscuraMedia
import TestSupport
import Testing

/// The plug of the camera or of the sound card is pulled while a movie is recorded.
@Suite("A recording whose camera or sound card is unplugged", .guest, .serialized)
struct RecordingDropoutTests {
    /// Emulated processors make, convert and encode each picture; more than ten a second are too many for them.
    private static let format = VideoFormat(pixelFormat: .yuyv, width: 320, height: 180, frameRate: FrameRate(10))

    @Test("A camera that is unplugged for good ends the movie and is named as the reason; all it gave is in it")
    func cameraGone() async throws {
        let camera = try #require(try Lab.cameras.all().first)
        defer { try? Lab.cameras.plug() }
        let run = try await MovieSession(
            camera.path, format: Self.format, movie: "camera-gone.mp4", cameraDisconnected: .end)
        defer { try? FileManager.default.removeItem(atPath: run.path) }
        try await run.output.startRecording(to: run.path)
        try await run.session.start()
        #expect(await run.reaches(2))
        try Lab.cameras.unplug()
        let result = try #require(await run.end())
        await run.session.stop()
        #expect(result.reason == .cameraGone)
        _ = try run.expectWholeMovie(result, isWhole: true)
    }

    @Test("A sound card that is unplugged for good ends the movie and is named as the reason; all it gave is in it")
    func microphoneGone() async throws {
        let camera = try #require(try Lab.cameras.all().first)
        defer { try? LoopbackCard.plug() }
        let player = try await LoopbackCard.play(Tone(), runsAhead: true)
        defer { player.stop() }
        let run = try await MovieSession(
            camera.path, format: Self.format, movie: "microphone-gone.mp4", microphoneDisconnected: .end)
        defer { try? FileManager.default.removeItem(atPath: run.path) }
        try await run.session.start()
        try await run.output.startRecording(to: run.path)
        #expect(await run.reaches(2))
        let unplugging = try LoopbackCard.unplug()
        let result = try #require(await run.end())
        await run.session.stop()
        player.stop()
        #expect(await becomes { !LoopbackCard.isThere && !unplugging.isRunning })
        #expect(result.reason == .microphoneGone)
        _ = try run.expectWholeMovie(result)
    }

    @Test("A camera that comes back goes on in the same movie: the gap is kept, and the sound goes through it")
    func cameraBack() async throws {
        let camera = try #require(try Lab.cameras.all().first)
        defer { try? Lab.cameras.plug() }
        let player = try await LoopbackCard.play(Tone(), runsAhead: true)
        defer { player.stop() }
        let run = try await MovieSession(camera.path, format: Self.format, movie: "camera-back.mp4")
        defer { try? FileManager.default.removeItem(atPath: run.path) }
        try await run.session.start()
        try await run.output.startRecording(to: run.path)
        #expect(await run.reaches(1))
        try Lab.cameras.unplug()
        #expect(await becomes { run.events.all.last == "interrupted: deviceDisconnected" })
        let before = run.output.recordedDuration.seconds
        // A second and a half of sound alone.
        let heardBefore = run.heardFrames
        #expect(await becomes { run.heardFrames >= heardBefore + 12_000 })
        try Lab.cameras.plug()
        #expect(await run.reaches(before + 1.4))
        #expect(await run.reaches(run.output.recordedDuration.seconds + 1))
        let result = try #require(await run.output.stopRecording())
        await run.session.stop()
        #expect(result.reason == .stopped)
        let times = try run.expectWholeMovie(result)
        let gaps = zip(times, times.dropFirst()).map { $1 - $0 }
        let longest = try #require(gaps.indices.max { gaps[$0] < gaps[$1] })
        #expect(gaps[longest] > 1.4 && gaps.count { $0 > 1.4 } == 1, "\(times)")
        // In each tenth of a second of the gap the tone is heard.
        let sound = try run.decodedSound()
        let tenth = MovieSession.soundFormat.sampleRate / 10
        for part in Int(times[longest] * 10) + 1..<Int(times[longest + 1] * 10) - 1 {
            try #require((part + 1) * tenth <= sound.count)
            let peak = sound[part * tenth..<(part + 1) * tenth].max() ?? 0
            #expect(abs(20 * log10(peak) + 6) < 0.1, "\(part)")
        }
    }
}
