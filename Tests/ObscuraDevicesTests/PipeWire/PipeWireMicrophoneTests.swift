// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraBase
import ObscuraCapture
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraDevices

// One after the other: the players of two tests would have the same name.
@Suite("Microphones of PipeWire", .pipeWireSession, .hangLimit, .serialized)
struct PipeWireMicrophoneTests {
    /// The kernel's microphones: none.
    private struct NoSound: SoundProbe {
        var hasSystemDefault: Bool { false }
    }

    private func driver(_ session: PipeWireSession, _ name: String) async throws -> PipeWireSoundDriver {
        let machine = try FakeMachine()
        let finder = MachineSoundFinder(
            kernel: SoundFinder(root: machine.root, probe: NoSound(), settings: machine.settings),
            remote: session.remote)
        _ = await becomes { finder.devices.contains { $0.uniqueID == name } }
        let device = try #require(finder.devices.first { $0.uniqueID == name })
        return PipeWireSoundDriver(
            device: device, node: name, finder: finder, monitor: DeviceMonitor(finder: finder),
            remote: session.remote, converters: nil)
    }

    /// Captures until the first channel has a second of a tone without a break, and checks its amplitude and frequency.
    ///
    /// On a busy machine the player misses a cycle of the graph now and then, and its tone breaks.
    private func expectTone(hertz: Double, amplitude: Double, from driver: PipeWireSoundDriver) async throws {
        let record = FrameRecord()
        let run = driver.makeRun(RunRequest(), sink: record, clock: SystemClock())
        _ = try await onThread { Result { try run.start() } }.get()
        var tone = UnbrokenTone(hertz: hertz, sampleRate: 48_000)
        var read = 0
        #expect(
            await becomes {
                record.account.withLock { account in
                    for place in stride(from: read, to: account.samples.count, by: 2) where tone.samples.count < 48_000
                    {
                        tone.add(account.samples[place])
                    }
                    read = account.samples.count
                }
                return tone.samples.count >= 48_000
            })
        await onThread { run.stop() }
        let samples = tone.samples
        let peak = Double(samples.map(abs).max() ?? 0)
        let power = samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(max(1, samples.count))
        let crossings = zip(samples, samples.dropFirst()).count { $0 < 0 && $1 >= 0 }
        #expect(abs(peak - amplitude) < 0.002)
        #expect(abs(power.squareRoot() - amplitude / 2.squareRoot()) < 0.002)
        #expect(abs(Double(crossings) - hertz) <= 1)
    }

    @Test("The sound that a sink plays arrives unchanged")
    func monitor() async throws {
        let session = try await PipeWireSession.shared
        let driver = try await driver(session, "obscura.sink")
        #expect(driver.device.name == "Sound of obscura.sink" && driver.audioFormats.first == AudioFormat())
        let player = try session.tone(into: "obscura.sink", hertz: 1000, amplitude: 0.5)
        try await expectTone(hertz: 1000, amplitude: 0.5, from: driver)
        player.stop()
    }

    @Test("A tone arrives unchanged through a virtual microphone")
    func microphone() async throws {
        let session = try await PipeWireSession.shared
        let driver = try await driver(session, "obscura.microphone")
        #expect(driver.device.name == "Test Microphone")
        let player = try session.tone(into: "0", hertz: 440, amplitude: 0.25)
        let link = try session.program(
            "for side in FL FR; do until pw-link pw-play:output_$side obscura.microphone:input_$side; do :; done; done")
        try await expectTone(hertz: 440, amplitude: 0.25, from: driver)
        player.stop()
        link.stop()
    }

    @Test("Sound that is lost because nobody reads it is counted to the frame")
    func overrun() async throws {
        let session = try await PipeWireSession.shared
        let driver = try await driver(session, "obscura.sink")
        let state = Lock((buffers: 0, frames: UInt64(0), gaps: UInt64(0), next: UInt64?.none, breaks: 0))
        let record = SoundRecord { sound in
            let buffers = state.withLock { state -> Int in
                state.buffers += 1
                state.frames += UInt64(sound.frameCount)
                state.gaps += sound.attachments.gap
                if let next = state.next, sound.position != next + sound.attachments.gap { state.breaks += 1 }
                state.next = sound.position + UInt64(sound.frameCount)
                return state.buffers
            }
            // Holds the thread of the stream for longer than the graph keeps sound.
            if buffers == 20 {
                let end = HostTime.now + .seconds(1)
                _ = blocksUntil { .now > end }
            }
        }
        let run = driver.makeRun(RunRequest(), sink: record, clock: SystemClock())
        _ = try await onThread { Result { try run.start() } }.get()
        #expect(await becomes { state.withLock { $0.buffers } >= 60 })
        await onThread { run.stop() }
        let (_, _, gaps, _, breaks) = state.withLock { $0 }
        // A second, less what the stream's buffers hold.
        #expect((12_000...60_000).contains(gaps), "\(gaps)")
        #expect(breaks == 0)
    }

    @Test("A loss is what the clock counted beyond the frames that arrived")
    func losses() {
        var losses = GraphLosses(sampleRate: 48_000)
        let ticks: [UInt64] = [1000, 2024, 3048, 8168, 9192]
        #expect(ticks.map { losses.losses(before: 1024, ticks: $0, rate: 48_000) } == [0, 0, 0, 4096, 0])
        // Buffers of a converted rate are longer and shorter.
        var converted = GraphLosses(sampleRate: 44_100)
        let buffers: [(Int, UInt64)] = [(940, 0), (941, 1024), (941, 2048), (940, 3072), (941, 4096 + 1024)]
        #expect(buffers.map { converted.losses(before: $0.0, ticks: $0.1, rate: 48_000) } == [0, 0, 0, 0, 942])
        // A clock that went back began anew.
        #expect(converted.losses(before: 940, ticks: 5, rate: 48_000) == 0)
    }

    @Test("A late reader, for whom buffers wait, has lost nothing; a loss among them is counted once")
    func pendingBuffers() {
        let buffers: [(pending: Int, ticks: UInt64, lost: UInt64)] = [
            // The stream begins with two waiting buffers.
            (1, 2048, 0), (0, 2048, 0), (0, 3072, 0), (1, 5120, 0), (0, 5120, 0), (0, 6144, 0),
            (2, 11_264, 0), (1, 11_264, 0), (0, 11_264, 2048), (0, 12_288, 0), (0, 14_336, 1024),
        ]
        var losses = GraphLosses(sampleRate: 48_000)
        for (place, buffer) in buffers.enumerated() {
            let lost = losses.losses(before: 1024, pending: buffer.pending, ticks: buffer.ticks, rate: 48_000)
            #expect(lost == buffer.lost, "buffer \(place)")
        }
    }

    @Test("A graph that changes its rate loses nothing by that")
    func rateChange() {
        var losses = GraphLosses(sampleRate: 48_000)
        var ticks: UInt64 = 0
        for round in 0..<2000 {
            let rate = round < 1000 ? 48_000 : 96_000
            #expect(losses.losses(before: 1024, ticks: ticks, rate: rate) == 0)
            ticks += round < 999 ? 1024 : 2048
        }
        ticks += 2048
        #expect(losses.losses(before: 1024, ticks: ticks, rate: 96_000) == 1024)
    }

    @Test("A clock that jumps beyond an hour began anew")
    func implausibleLoss() {
        var losses = GraphLosses(sampleRate: 48_000)
        let ticks: [UInt64] = [0, 1024, .max, 1000, 2024, 4072]
        #expect(ticks.map { losses.losses(before: 1024, ticks: $0, rate: 48_000) } == [0, 0, 0, 0, 0, 1024])
        // One tick per second.
        #expect(losses.losses(before: 1024, ticks: .max / 2, rate: 1) == 0)
    }

    @Test("A delay is converted to the rate of the sound, and limited")
    func delay() {
        let delays: [(Int64, Int, Int)] = [
            (1024, 48_000, 940), (0, 0, 0), (.max, 48_000, 441_000), (.min, 48_000, -441_000), (.max, 0, 441_000),
            (.max, Int(UInt32.max), 441_000),
        ]
        for (delay, rate, frames) in delays {
            let clock = PipeWireClock(time: HostTime(nanoseconds: 1), ticks: 0, delay: delay, rate: rate, pending: 0)
            #expect(clock.delay(at: 44_100) == frames)
        }
    }

    @Test("A sound card that this process may use is listed once")
    func once() {
        var objects = PipeWireObjects()
        let node = { (id: UInt32, name: String, mediaClass: String, card: String?) in
            var properties = ["media.class": mediaClass, "node.name": name, "device.id": "9"]
            properties["api.alsa.pcm.card"] = card
            return PipeWireObject(id: id, properties: properties)
        }
        objects.add(node(1, "alsa_input.usb", "Audio/Source", "0"), isDevice: false)
        objects.add(node(2, "bluez_input.1", "Audio/Source", nil), isDevice: false)
        objects.add(node(3, "alsa_output.pci", "Audio/Sink", "0"), isDevice: false)
        objects.add(PipeWireObject(id: 9, properties: [:]), isDevice: true)
        let card = { (authorization: AuthorizationStatus) in
            FoundDevice(
                uniqueID: "usb-mic", path: "/dev/snd/pcmC0D0c", place: "a", lastingName: nil, name: "Mic",
                modelID: "m", authorization: authorization)
        }
        let all = PipeWireMicrophone.all(in: objects)
        let merged = MachineSoundFinder.merged([card(.authorized)], all)
        #expect(merged.map(\.uniqueID) == ["usb-mic", "bluez_input.1", "alsa_output.pci"])
        #expect(MachineSoundFinder.merged([card(.denied)], all).count == 4)
    }
}

/// Passes on the sound of a run.
private final class SoundRecord: CaptureSink {
    let pool = PixelBufferPool(capacity: 1)
    var wantsAudio: Bool { true }
    private let body: @Sendable (AudioBuffer) -> Void

    init(_ body: @escaping @Sendable (AudioBuffer) -> Void) {
        self.body = body
    }

    func receive(_ frame: VideoFrame, buffersLeft: Int?) {}
    func receive(_ frame: EncodedFrame) {}
    func receive(_ sound: AudioBuffer) { body(sound) }
    func loseFrame(sequence: UInt64?, gap: UInt64) {}
    func interrupted(_ reason: InterruptionReason) {}
    func resumed() {}
    func finish(throwing error: ObscuraError?) {}
}
