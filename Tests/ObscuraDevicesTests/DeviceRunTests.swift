// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import ObscuraCapture
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraDevices

/// The life of a run, with streams that do as they are told.
@Suite("The run of a device", .hangLimit)
struct DeviceRunTests {
    /// What one stream does.
    enum Act: Sendable {
        /// Gives so many buffers, then ends as said.
        case give(Int, then: ObscuraError?)
        case fail(ObscuraError)
        /// Gives one, and waits for the eventFD.
        case stay
        /// The machine sleeps and wakes up, which ends the opening with an error.
        case nap(ObscuraError)
    }

    struct Script: DeviceStreams {
        let acts: Lock<[Act]>
        var hasFormat = true
        var power: PowerMonitor?
        var name: String { "a device" }
        var format: SourceFormat? { hasFormat ? SourceFormat(audio: AudioFormat()) : nil }

        func path() -> String? { "/dev/null" }

        mutating func run(_ life: RunLife) throws(ObscuraError) {
            let act = acts.withLock { $0.isEmpty ? Act.stay : $0.removeFirst() }
            if case .fail(let error) = act { throw error }
            if case .nap(let error) = act {
                for isAsleep in [true, false] { power?.change { $0.isAsleep = isAsleep } }
                throw error
            }
            life.started(SourceFormat(audio: AudioFormat()))
            var count = 1
            if case .give(let number, _) = act { count = number }
            for _ in 0..<count {
                life.delivered(at: .now)
                life.sink.receive(
                    AudioBuffer(
                        format: AudioFormat(), samples: .float32([0, 0]), presentationTime: .zero, hostTime: .now))
            }
            guard case .give(_, let error) = act else {
                _ = life.eventFD.wait(with: nil, until: .now + waitLimit)
                return
            }
            if let error { throw error }
        }
    }

    final class Record: CaptureSink {
        let words = Lock<[String]>([])
        let pool = PixelBufferPool(capacity: 1)
        var wantsAudio: Bool { true }

        func receive(_ frame: VideoFrame, buffersLeft: Int?) { note("picture") }
        func receive(_ frame: EncodedFrame) { note("picture") }
        func receive(_ sound: AudioBuffer) { note("sound") }
        func loseFrame(sequence: UInt64?, gap: UInt64) { note("lost") }
        func interrupted(_ reason: InterruptionReason) { note(reason.rawValue) }
        func resumed() { note("resumed") }
        func finish(throwing error: ObscuraError?) { note("end: \(error.map { "\($0.code)" } ?? "none")") }

        private func note(_ word: String) { words.withLockSignalling { $0.append(word) } }

        func reaches(_ count: Int) -> [String] {
            words.wait(until: .now + waitLimit) { $0.count >= count ? $0 : nil } ?? words.withLock { $0 }
        }
    }

    private let record = Record()
    private let monitor = DeviceMonitor(finder: SoundFinder(probe: FakeSoundProbe(hasSystemDefault: false)))

    private let power = PowerMonitor(nil)

    private func run(
        _ acts: [Act], startsWhenAvailable: Bool = false, pausesWhileLocked: Bool = false, hasFormat: Bool = true
    ) -> DeviceRun<Script> {
        DeviceRun(
            Script(acts: Lock(acts), hasFormat: hasFormat, power: power), thread: "test",
            startsWhenAvailable: startsWhenAvailable, pausesWhileLocked: pausesWhileLocked, sink: record,
            monitor: monitor, power: power)
    }

    private func error(_ code: ObscuraError.Code) -> ObscuraError {
        ObscuraError(.capture, code, subject: "a device", reason: "for a test")
    }

    @Test("A device that refuses at the start is an error of the start, and the sink hears nothing")
    func refused() {
        for code in [ObscuraError.Code.deviceInUse, .notAuthorized, .deviceFailed, .noSuchDevice] {
            let thrown = #expect(throws: ObscuraError.self) { try run([.fail(error(code))]).start() }
            #expect(thrown?.code == code)
        }
        #expect(record.words.withLock { $0 }.isEmpty)
    }

    @Test("One that is in use is waited for where that is asked for, and told as interrupted until it comes")
    func waited() throws {
        let run = run([.fail(error(.deviceInUse)), .stay], startsWhenAvailable: true)
        #expect(try run.start() == SourceFormat(audio: AudioFormat()))
        #expect(record.reaches(3) == ["deviceInUse", "resumed", "sound"])
        run.stop()
    }

    @Test("One that is in use, and of which nobody knows what it will give, is refused all the same")
    func unknownFormat() {
        let thrown = #expect(throws: ObscuraError.self) {
            try run([.fail(error(.deviceInUse))], startsWhenAvailable: true, hasFormat: false).start()
        }
        #expect(thrown?.code == .deviceInUse)
    }

    @Test("An interruption is told once, however often it is tried, and ends with the next good thing")
    func interruption() throws {
        let gone = error(.deviceDisconnected)
        let run = run([.give(2, then: gone), .fail(gone), .fail(error(.noSuchDevice)), .stay])
        _ = try run.start()
        #expect(record.reaches(5) == ["sound", "sound", "deviceDisconnected", "resumed", "sound"])
        run.stop()
    }

    @Test("A stream that breaks again and again is the end, with its reason")
    func end() throws {
        let broken = error(.deviceFailed)
        let run = run([.give(1, then: broken), .fail(broken), .fail(broken), .fail(broken)])
        _ = try run.start()
        #expect(record.reaches(3) == ["sound", "streamFailed", "end: deviceFailed"])
        run.stop()
    }

    @Test("After a stop nothing more is told, and a stop before the start refuses it")
    func stopped() throws {
        let first = run([.stay])
        _ = try first.start()
        #expect(record.reaches(1) == ["sound"])
        first.stop()
        first.stop()
        #expect(record.words.withLock { $0 } == ["sound"])
        let second = run([.stay])
        second.cancel()
        let thrown = #expect(throws: ObscuraError.self) { try second.start() }
        #expect(thrown?.code == .cancelled)
    }

    @Test("The device is closed while the machine sleeps, and opened again when it has woken up")
    func asleep() throws {
        let run = run([.stay, .stay, .stay])
        _ = try run.start()
        #expect(record.reaches(1) == ["sound"])
        for round in 1...2 {
            power.change { $0.isAsleep = true }
            #expect(record.reaches(round * 3 - 1).last == "systemSleep")
            power.change { $0.isAsleep = false }
            #expect(record.reaches(round * 3 + 1).suffix(2) == ["resumed", "sound"])
        }
        run.stop()
        #expect(record.words.withLock { $0.count } == 7)
    }

    @Test("A device that is not found again at once after the sleep is not reported as disconnected")
    func waking() throws {
        let run = run([.stay, .fail(error(.noSuchDevice)), .fail(error(.deviceFailed)), .stay])
        _ = try run.start()
        #expect(record.reaches(1) == ["sound"])
        power.change { $0.isAsleep = true }
        #expect(record.reaches(2) == ["sound", "systemSleep"])
        power.change { $0.isAsleep = false }
        #expect(record.reaches(4) == ["sound", "systemSleep", "resumed", "sound"])
        run.stop()
    }

    @Test("A short sleep while the device is opened again does not end the run")
    func shortSleep() throws {
        let naps = [Act.nap(error(.cancelled)), .nap(error(.unsupportedFormat))]
        let run = run([.give(1, then: error(.deviceDisconnected))] + naps + [.stay])
        _ = try run.start()
        #expect(record.reaches(4) == ["sound", "deviceDisconnected", "resumed", "sound"])
        run.stop()
    }

    @Test("A locked session closes the device only on request")
    func lock() throws {
        let other = run([.stay])
        _ = try other.start()
        #expect(record.reaches(1) == ["sound"])
        power.change { $0.isLocked = true }
        other.stop()
        #expect(record.words.withLock { $0 } == ["sound"])
        // Locked from the start.
        let run = run([.stay, .stay], pausesWhileLocked: true)
        _ = try run.start()
        #expect(record.reaches(3) == ["sound", "sound", "sessionLocked"])
        power.change { $0.isLocked = false }
        #expect(record.reaches(5).suffix(2) == ["resumed", "sound"])
        run.stop()
    }

    @Test("A stop ends a run whose machine sleeps, and a wake-up without a stop is not a stall")
    func stoppedAsleep() throws {
        let run = run([.stay, .stay])
        _ = try run.start()
        #expect(record.reaches(1) == ["sound"])
        power.change { $0.isAsleep = true }
        #expect(record.reaches(2) == ["sound", "systemSleep"])
        run.stop()
        power.change { $0.isAsleep = false }
        #expect(record.words.withLock { $0 } == ["sound", "systemSleep"])
    }
}
