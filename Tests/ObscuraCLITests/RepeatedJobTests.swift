// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Glibc
import ObscuraBase
import Testing

@testable import ObscuraCLI

@Suite("A repeated job") struct RepeatedJobTests {
    private enum Step {
        case waiting, begun, ending, ended
    }

    @Test("Its end waits for a run that has begun, whose line would otherwise follow the last one")
    func waitsForRun() {
        let step = Lock(Step.waiting)
        let job = RepeatedJob("test", every: .milliseconds(1)) {
            let isFirst = step.withLockSignalling { step in
                defer { if step == .waiting { step = .begun } }
                return step == .waiting
            }
            guard isFirst else { return }
            _ = step.wait { $0 == .ending ? true : nil }
            // Time for an end that does not wait.
            for _ in 0..<1000 { sched_yield() }
            step.withLock { $0 = .ended }
        }
        _ = step.wait { $0 == .begun ? true : nil }
        step.withLockSignalling { $0 = .ending }
        job.finish()
        #expect(step.withLock { $0 } == .ended)
    }
}
