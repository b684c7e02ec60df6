// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraCapture

@Suite struct ToneTests {
    private func listen(_ name: String, seconds: Int, isLive: Bool = false) async throws -> [AudioBuffer] {
        let device = try #require(try ToneDeviceProvider(isLive: isLive).device(named: name))
        let output = AudioDataOutput(latePolicy: .lossless)
        let session = CaptureSession()
        try await session.configure { configuration in
            try configuration.addInput(CaptureDeviceInput(device: device))
            try configuration.addOutput(output)
        }
        var heard: [AudioBuffer] = []
        var buffers = output.buffers.makeAsyncIterator()
        try await session.start()
        while heard.count < 100 * seconds, let sound = try await buffers.next() { heard.append(sound) }
        await session.stop()
        return heard
    }

    @Test("It beeps at the beginning of each second, for a tenth of it, and is silent between")
    func beeps() async throws {
        let heard = try await listen("tone", seconds: 2)
        for (index, sound) in heard.enumerated() {
            #expect(
                sound.position == UInt64(index * 480)
                    && sound.presentationTime == MediaTime(value: Int64(index), timescale: 100))
            var meter = AudioLevelMeter(channelCount: 2, sampleRate: 48_000, readingsPerSecond: 100)
            let reading = meter.add(sound)
            let peak = try #require(reading?.first).peak
            #expect(index % 100 < 10 ? abs(peak + 6) < 0.1 : peak == AudioLevel.floor, "buffer \(index)")
        }
    }

    @Test("A tone of -6 dBFS reads -6.0 on the connection, and has the frequency that it was asked for")
    func level() async throws {
        let device = try #require(try ToneDeviceProvider(isLive: false).device(named: "tone:1000@-6"))
        let output = AudioDataOutput(latePolicy: .lossless)
        let session = CaptureSession()
        try await session.configure { configuration in
            try configuration.addInput(CaptureDeviceInput(device: device))
            try configuration.addOutput(output)
        }
        var buffers = output.buffers.makeAsyncIterator()
        try await session.start()
        var crossings = 0
        var last: Float = 0
        for _ in 0..<100 {
            let sound = try #require(try await buffers.next())
            for frame in 0..<sound.frameCount {
                let sample = sound[frame: frame, channel: 0]
                if last < 0, sample >= 0 { crossings += 1 }
                last = sample
            }
        }
        #expect((999...1000).contains(crossings))
        #expect(output.connection.audioChannels.count == 2)
        for channel in output.connection.audioChannels {
            #expect(abs(channel.level.peak + 6) < 0.1 && abs(channel.level.average + 9.01) < 0.1)
        }
        await session.stop()
    }

    @Test("Live, the beep is where the second of the clock begins, however late the microphone was started")
    func liveSeconds() async throws {
        let clock = ManualClock(now: HostTime(nanoseconds: 5_730_000_000))
        let sink = SoundSink()
        let run = ToneDriver().makeRun(
            RunRequest(audioFormat: AudioFormat(sampleType: .int16, channelCount: 1)), sink: sink, clock: clock)
        #expect(try run.start().audio == AudioFormat(sampleType: .int16, channelCount: 1))
        for _ in 0..<50 {
            let count = sink.heard.withLock { $0.count }
            clock.advance(by: .milliseconds(10))
            #expect(sink.heard.wait(until: .now + waitLimit) { $0.count > count ? true : nil } == true)
        }
        run.stop()
        for sound in sink.heard.withLock({ $0 }) {
            for frame in stride(from: 1, to: sound.frameCount, by: 7) {
                let time = sound.hostTime.nanoseconds + Int64(frame) * 1_000_000_000 / 48_000
                let place = time % 1_000_000_000
                guard place > 1_000_000, !(99_000_000...101_000_000).contains(place) else { continue }
                if place > 100_000_000 { #expect(sound[frame: frame, channel: 0] == 0) }
            }
        }
        let first = try #require(sink.heard.withLock { $0.first })
        #expect(first.hostTime == HostTime(nanoseconds: 5_730_000_000) && first.position == 0)
        let loud = sink.heard.withLock {
            $0.filter { sound in (0..<480).contains { sound[frame: $0, channel: 0] > 0.4 } }
        }
        #expect(loud.first?.hostTime == HostTime(nanoseconds: 6_000_000_000) && loud.count == 10)
    }

    @Test("The flash of the built-in camera is in the frames of the first tenth of each second")
    func flash() throws {
        let scene = try PatternScene(size: PixelSize(width: 320, height: 180))
        for rate in [FrameRate(30), FrameRate(25), FrameRate(60), FrameRate(30_000, per: 1001)] {
            let duration = rate.frameDuration
            for index in 0..<Int64(3 * rate.framesPerSecond) {
                let time = duration * index + MediaTime(value: 7, timescale: 10)
                let picture = try scene.draw(
                    sequence: UInt64(index), time: time,
                    isFlashing: PatternScene.isFlashing(at: time, frameDuration: duration))
                let place = (time.seconds + duration.seconds / 2).truncatingRemainder(dividingBy: 1)
                #expect(PatternScene.readFlash(of: picture) == (place < 0.1), "\(rate) \(index)")
                #expect(PatternScene.readSequence(of: picture) == UInt64(index))
            }
        }
    }

    @Test(
        "Names that are no tone are refused with how to write one",
        arguments: [
            "tone:", "tone:x", "tone:0", "tone:20001", "tone:440@", "tone:440@1", "tone:440@-121", "tone:440@-6@2",
            "tone:nan",
        ])
    func names(_ name: String) {
        let error = #expect(throws: ObscuraError.self) { try ToneDeviceProvider().device(named: name) }
        #expect(error?.code == .noSuchDevice && error?.advice?.contains("tone:1000@-6") == true)
    }

    @Test("A tone is found again by its own name", arguments: ["tone", "tone:440", "tone:440.5@-20", "tone:@-12"])
    func uniqueNames(_ name: String) throws {
        #expect(try ToneDeviceProvider().device(named: name)?.uniqueID == name)
        #expect(try ToneDeviceProvider().device(named: "pattern") == nil)
    }
}

/// Writes down the sound of a run.
private final class SoundSink: CaptureSink {
    let heard = Lock<[AudioBuffer]>([])
    let pool = PixelBufferPool(capacity: 1)
    let wantsAudio = true

    func receive(_ sound: AudioBuffer) { heard.withLockSignalling { $0.append(sound) } }
    func receive(_ frame: VideoFrame, buffersLeft: Int?) {}
    func receive(_ frame: EncodedFrame) {}
    func loseFrame(sequence: UInt64?, gap: UInt64) {}
    func interrupted(_ reason: InterruptionReason) {}
    func resumed() {}
    func finish(throwing error: ObscuraError?) {}
}
