// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Glibc
import TestSupport
import Testing

@testable import ObscuraCLI

@Suite("Ctrl-C and its like", .serialized) struct InterruptionTests {
    @Test("A signal counts from the first moment on", arguments: [SIGTERM, SIGINT])
    func atOnce(number: Int32) async throws {
        for _ in 0..<100 {
            let calls = Count()
            let interruption = Interruption { calls.add() }
            kill(getpid(), number)
            try #require(await calls.reaches(1))
            #expect(await interruption.exitCode() == 128 + number)
            #expect(calls.now == 1)
        }
    }

    @Test("An operation begins when signals are handled, and the first one cancels it")
    func cancelling() async {
        for _ in 0..<100 {
            let (result, code) = await Interruption.cancelling {
                // Would end the test's process if there was no handler yet.
                kill(getpid(), SIGTERM)
                while !Task.isCancelled { await Task.yield() }
            }
            #expect(throws: Never.self) { try result.get() }
            #expect(code == 128 + SIGTERM)
        }
    }

    @Test("Without a signal there is no code, and afterwards a signal does what it did before")
    func none() async {
        var (before, after) = (sigaction(), sigaction())
        sigaction(SIGTERM, nil, &before)
        let interruption = Interruption {}
        #expect(await interruption.exitCode() == nil)
        sigaction(SIGTERM, nil, &after)
        let handlers = [before, after].map { unsafeBitCast($0.__sigaction_handler.sa_handler, to: Int.self) }
        #expect(handlers[0] == handlers[1])
    }
}
