// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Dispatch
import ObscuraBase
import ObscuraMedia
import Testing

@testable import ObscuraCapture

@Suite("The lock of a device's configuration") struct ConfigurationLockTests {
    @Test("Two configurations of one device never overlap, whatever objects stand for it")
    func exclusive() throws {
        let table = ControlTable.webcam()
        let inside = Lock((now: 0, most: 0, calls: 0))
        DispatchQueue.concurrentPerform(iterations: 16) { _ in
            let device = table.device("exclusive")
            try? device.lockForConfiguration { device in
                inside.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1), $0.calls + 1) }
                // Long enough for others to come in, if they could.
                for value in 0..<200 { try device.set("brightness", to: Int64(value)) }
                inside.withLock { $0.now -= 1 }
            }
        }
        #expect(inside.withLock { $0.calls } == 16)
        #expect(inside.withLock { $0.most } == 1)
    }

    @Test("Who does not get his turn in time hears so, and the next one gets it")
    func patience() throws {
        let device = ControlTable.webcam().device()
        try device.lockForConfiguration { _ in
            let answer = Lock<ObscuraError.Code?>(nil)
            let thread = WorkerThread(name: "other") {
                do {
                    try device.lockForConfiguration(until: .now) { _ in }
                } catch {
                    answer.withLock { $0 = (error as? ObscuraError)?.code }
                }
            }
            _ = thread?.ends()
            #expect(answer.withLock { $0 } == .timedOut)
        }
        try device.lockForConfiguration { _ in }
    }

    @Test("Another device can be configured meanwhile, the same one cannot")
    func nested() throws {
        let device = ControlTable.webcam().device("one")
        try device.lockForConfiguration { _ in
            try ControlTable.webcam().device("two").lockForConfiguration { try $0.setBrightness(0) }
            let error = #expect(throws: ObscuraError.self) { try device.lockForConfiguration { _ in } }
            #expect(error?.code == .invalidConfiguration)
        }
    }

    @Test("What the closure returns and throws comes out, and the lock is free")
    func results() throws {
        struct Odd: Error {}
        let table = ControlTable.webcam()
        let device = table.device()
        #expect(throws: Odd.self) {
            try device.lockForConfiguration { device in
                try device.setBrightness(5)
                throw Odd()
            }
        }
        #expect(table.value(of: "brightness") == 5)
        #expect(try device.lockForConfiguration { $0.brightness.value } == 5)
    }
}
