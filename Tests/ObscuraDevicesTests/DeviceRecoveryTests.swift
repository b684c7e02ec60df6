// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraCapture
import ObscuraMedia
import Testing

@testable import ObscuraDevices

@Suite("What is done when a device gives nothing any more")
struct DeviceRecoveryTests {
    private func error(_ code: ObscuraError.Code) -> ObscuraError {
        ObscuraError(.capture, code, subject: "camera", reason: "test")
    }

    private let begin = HostTime(nanoseconds: 1_000_000_000_000)

    @Test("A camera that is gone or taken is waited for, for as long as it takes")
    func waits() {
        var recovery = DeviceRecovery()
        for _ in 0..<1000 {
            #expect(
                recovery.step(after: error(.deviceDisconnected), now: begin)
                    == .retry(reason: .deviceDisconnected, pause: .seconds(1)))
            #expect(
                recovery.step(after: error(.deviceInUse), now: begin)
                    == .retry(reason: .deviceInUse, pause: .seconds(2)))
        }
    }

    @Test("A stream that breaks is started three times, a little later each time; then it is over")
    func failures() {
        var recovery = DeviceRecovery()
        let steps = (0..<4).map { _ in recovery.step(after: error(.deviceFailed), now: begin) }
        #expect(steps == [50, 200, 800].map { .retry(reason: .streamFailed, pause: .milliseconds($0)) } + [.end])
    }

    @Test("A second of good frames begins the count anew, a single frame does not")
    func goodFrames() {
        var recovery = DeviceRecovery()
        for _ in 0..<3 {
            #expect(recovery.step(after: error(.deviceFailed), now: begin) != .end)
            recovery.delivered(at: begin)
            recovery.delivered(at: begin + .milliseconds(900))
        }
        var other = recovery
        #expect(other.step(after: error(.deviceFailed), now: begin) == .end)
        recovery.delivered(at: begin + .milliseconds(1000))
        #expect(
            recovery.step(after: error(.deviceFailed), now: begin)
                == .retry(reason: .streamFailed, pause: .milliseconds(50)))
    }

    @Test("A camera without frames is started again for ever, more patiently each time, up to a minute")
    func stalls() {
        var recovery = DeviceRecovery()
        #expect(recovery.patience == .seconds(10))
        for _ in 0..<40 {
            #expect(recovery.step(after: nil, now: begin) == .retry(reason: .stalled, pause: .milliseconds(100)))
        }
        #expect(recovery.patience == .seconds(60))
    }

    @Test("A camera without frames for long may still fail three times")
    func mixed() {
        var recovery = DeviceRecovery()
        for _ in 0..<10 { _ = recovery.step(after: nil, now: begin) }
        for _ in 0..<3 { #expect(recovery.step(after: error(.deviceFailed), now: begin) != .end) }
        #expect(recovery.step(after: error(.deviceFailed), now: begin) == .end)
    }

    @Test("A camera that is back may fail, or be forbidden, for fifteen seconds", arguments: [0, 1])
    func settling(which: Int) {
        let code = [ObscuraError.Code.deviceFailed, .notAuthorized][which]
        var recovery = DeviceRecovery()
        _ = recovery.step(after: error(.deviceDisconnected), now: begin)
        for second in 0..<15 {
            #expect(
                recovery.step(after: error(code), now: begin + .seconds(second))
                    == .retry(reason: .deviceDisconnected, pause: .milliseconds(500)))
        }
        let later = recovery.step(after: error(code), now: begin + .seconds(15))
        #expect(later == (which == 1 ? .end : .retry(reason: .streamFailed, pause: .milliseconds(50))))
    }

    @Test("A portal that fails after the start, as with a restart of PipeWire, is waited for")
    func portal() {
        var recovery = DeviceRecovery()
        for _ in 0..<100 {
            #expect(
                recovery.step(after: error(.portalFailed), now: begin)
                    == .retry(reason: .deviceDisconnected, pause: .seconds(1)))
        }
    }

    @Test("Without a plug that was pulled, a right that is missing is the end")
    func refusal() {
        var recovery = DeviceRecovery()
        #expect(recovery.step(after: error(.notAuthorized), now: begin) == .end)
    }

    @Test("Attempts in vain come less and less often, whatever wakes them")
    func pauses() {
        var recovery = DeviceRecovery()
        let pauses = (0..<7).map { _ in
            _ = recovery.step(after: error(.deviceInUse), now: begin)
            return recovery.shortestPause
        }
        #expect(pauses == [100, 200, 400, 800, 1600, 1600, 1600].map { .milliseconds($0) })
        recovery.delivered(at: begin)
        _ = recovery.step(after: error(.deviceInUse), now: begin)
        #expect(recovery.shortestPause == .milliseconds(100))
    }

    @Test("Another mode than before is the end")
    func formats() {
        var recovery = DeviceRecovery()
        #expect(recovery.step(after: error(.unsupportedFormat), now: begin) == .end)
    }

    @Test("A camera that is missing or fails after the sleep of the machine is waited for, for fifteen seconds")
    func waking() {
        var recovery = DeviceRecovery()
        recovery.woke(at: begin)
        for code in [ObscuraError.Code.noSuchDevice, .deviceDisconnected, .deviceFailed, .timedOut, .notAuthorized] {
            #expect(
                recovery.step(after: error(code), now: begin + .seconds(14))
                    == .retry(reason: .systemSleep, pause: .milliseconds(500)))
        }
        #expect(
            recovery.step(after: error(.deviceInUse), now: begin + .seconds(14))
                == .retry(reason: .deviceInUse, pause: .seconds(2)))
        #expect(
            recovery.step(after: error(.noSuchDevice), now: begin + .seconds(15))
                == .retry(reason: .deviceDisconnected, pause: .seconds(1)))
    }
}
