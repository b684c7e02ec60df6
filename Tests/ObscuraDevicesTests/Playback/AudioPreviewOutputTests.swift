// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraCapture
@testable import ObscuraDevices

/// Playback on the devices of libasound that need no sound card: `null`, and a file.
@Suite(.hangLimit) struct AudioPreviewOutputTests {
    private static let format = AudioFormat(sampleType: .int16, sampleRate: 8000, channelCount: 1)

    /// The file of libasound into which `device` plays.
    private func device(_ folder: TemporaryFolder) -> String { "file:'\(folder("out.raw"))',raw" }

    /// The samples of the file.
    private func played(_ folder: TemporaryFolder) throws -> [Int16] {
        let bytes = try folder.bytes(of: "out.raw")
        return stride(from: 0, to: bytes.count - 1, by: 2).map {
            Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
        }
    }

    private func session(_ output: AudioPreviewOutput, _ microphone: PushedMicrophone) async throws -> CaptureSession {
        let session = try await CaptureSession.of(microphone, [output])
        try await session.start()
        return session
    }

    @Test func `all audio is played, in order, and the device is closed at the end`() async throws {
        let folder = try TemporaryFolder()
        let output = AudioPreviewOutput(device: device(folder), latency: .milliseconds(40))
        let microphone = PushedMicrophone(Self.format)
        let session = try await session(output, microphone)
        let samples = (0..<4000).map { Int16(truncatingIfNeeded: $0 * 17) }
        for begin in stride(from: 0, to: samples.count, by: 80) {
            microphone.push(Array(samples[begin..<begin + 80]))
            // A file takes audio faster than in real time; a queue of twice the latency is not exceeded here.
            if begin >= 320 { #expect(await becomes { output.statistics.playedFrames >= begin }) }
        }
        microphone.sink?.finish(throwing: nil)
        #expect(await becomes { output.statistics.playedFrames == 4000 && !output.isPlaying })
        #expect(try played(folder) == samples)
        #expect(output.statistics.droppedFrames == 0 && output.statistics.latency == .zero)
        await session.stop()
    }

    @Test func `the volume is applied`() async throws {
        let folder = try TemporaryFolder()
        let output = AudioPreviewOutput(device: device(folder), latency: .milliseconds(20))
        output.volume = 0.5
        let microphone = PushedMicrophone(Self.format)
        let session = try await session(output, microphone)
        microphone.push([Int16](repeating: 1000, count: 160))
        microphone.sink?.finish(throwing: nil)
        #expect(await becomes { output.statistics.playedFrames == 160 && !output.isPlaying })
        #expect(try played(folder) == [Int16](repeating: 500, count: 160))
        await session.stop()
        for (set, expected) in [(Float(2), Float(1)), (-1, 0), (.nan, 0), (0.25, 0.25)] {
            output.volume = set
            #expect(output.volume == expected)
        }
    }

    @Test func `a stop of the session ends playback, and the next start plays again`() async throws {
        let output = AudioPreviewOutput(device: "null", latency: .milliseconds(20))
        let microphone = PushedMicrophone(Self.format)
        let session = try await session(output, microphone)
        microphone.push([Int16](repeating: 1, count: 160))
        #expect(await becomes { output.statistics.playedFrames == 160 })
        await session.stop()
        #expect(await becomes { !output.isPlaying })
        try await session.start()
        microphone.push([Int16](repeating: 1, count: 160))
        #expect(await becomes { output.statistics.playedFrames == 320 })
        await session.stop()
    }

    @Test func `the device is closed when the output is released`() {
        let sound = AudioBuffer(
            format: Self.format, samples: .int16([Int16](repeating: 1, count: 160)), presentationTime: .zero,
            hostTime: .now)
        func play() -> AudioPlayer {
            let output = AudioPreviewOutput(device: "null", latency: .milliseconds(20))
            output.player.play(sound)
            #expect(output.isPlaying)
            return output.player
        }
        #expect(!play().isRunning)
    }

    @Test(arguments: ["hw:31,0", "hw:CARD=Nowhere", "nowhere", "/dev/snd/pcmC31D0p"])
    func `an absent device is an event with an error that says so, and the session runs on`(
        device: String
    ) async throws {
        let output = AudioPreviewOutput(device: device, latency: .milliseconds(20))
        var events = output.events.makeAsyncIterator()
        let microphone = PushedMicrophone(Self.format)
        let session = try await session(output, microphone)
        microphone.push([Int16](repeating: 1, count: 160))
        guard case .failed(let error) = await events.next() else {
            Issue.record("no failure is reported")
            return
        }
        #expect(error.code == .noSuchDevice && error.subject == device && error.advice?.isEmpty == false)
        #expect(session.isRunning)
        #expect(await becomes { output.statistics.droppedFrames == 160 })
        await session.stop()
        #expect(await becomes { !output.isPlaying })
    }

    @Test func `the start tells the format of the device`() async throws {
        let output = AudioPreviewOutput(device: "null")
        var events = output.events.makeAsyncIterator()
        let microphone = PushedMicrophone(Self.format)
        let session = try await session(output, microphone)
        microphone.push([Int16](repeating: 1, count: 8000))
        guard case .started(let format) = await events.next() else {
            Issue.record("no start is reported")
            return
        }
        #expect(format == Self.format)
        await session.stop()
    }

    @Test func `the latency is limited`() {
        #expect(AudioPreviewOutput().latency == .milliseconds(80) && AudioPreviewOutput().device == "default")
        #expect(AudioPreviewOutput(latency: .zero).latency == .milliseconds(20))
        #expect(AudioPreviewOutput(latency: .seconds(60)).latency == .seconds(2))
    }

    @Test func `a node is opened through libasound's conversion`() {
        #expect(ALSAPlaybackPCM.name(of: "/dev/snd/pcmC1D3p") == "plughw:1,3")
        for name in ["default", "hw:0,0", "/dev/snd/pcmC1D3c", "pcmC1D3p", "/dev/null"] {
            #expect(ALSAPlaybackPCM.name(of: name) == name)
        }
    }
}
