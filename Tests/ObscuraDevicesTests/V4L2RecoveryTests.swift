// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraCapture
import Testing

@testable import ObscuraDevices

@Suite("What is done when a camera stops giving frames")
struct V4L2RecoveryTests {
    private func error(_ code: CaptureError.Code) -> CaptureError {
        CaptureError(code, subject: "camera", reason: "test")
    }

    @Test("A camera that is gone or taken is waited for, for as long as it takes")
    func waits() {
        var recovery = V4L2Recovery()
        for _ in 0..<1000 {
            #expect(
                recovery.step(after: error(.deviceDisconnected))
                    == .retry(reason: .deviceDisconnected, pause: .milliseconds(500)))
            #expect(recovery.step(after: error(.deviceInUse)) == .retry(reason: .deviceInUse, pause: .seconds(2)))
        }
    }

    @Test("A stream that breaks is started three times, a little later each time; frames begin the count anew")
    func failures() {
        var recovery = V4L2Recovery()
        for _ in 0..<2 {
            let steps = (0..<3).map { _ in recovery.step(after: error(.deviceFailed)) }
            #expect(
                steps
                    == [50, 200, 800].map { .retry(reason: .streamFailed, pause: .milliseconds($0)) })
            recovery.delivered()
        }
        for _ in 0..<3 { _ = recovery.step(after: error(.deviceFailed)) }
        #expect(recovery.step(after: error(.deviceFailed)) == .end)
    }

    @Test("A camera without frames is started again for ever, in pauses of up to five seconds")
    func stalls() {
        var recovery = V4L2Recovery()
        let steps = (0..<40).map { _ in recovery.step(after: nil) }
        #expect(steps.first == .retry(reason: .stalled, pause: .milliseconds(100)))
        #expect(steps.last == .retry(reason: .stalled, pause: .milliseconds(5000)))
    }

    @Test("A right that does not come is the end, after ten seconds")
    func refusals() {
        var recovery = V4L2Recovery()
        for _ in 0..<20 { #expect(recovery.step(after: error(.notAuthorized)) != .end) }
        #expect(recovery.step(after: error(.notAuthorized)) == .end)
    }

    @Test("Another mode than before is the end")
    func formats() {
        var recovery = V4L2Recovery()
        #expect(recovery.step(after: error(.unsupportedFormat)) == .end)
    }
}
