// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraMedia

/// A query of a server or device that may never respond.
///
/// It is made on a thread of its own. Callers share a query that is under way, so a missing response blocks one thread,
/// not one for each call.
final class SharedQuery<Answer: Sendable>: Sendable {
    private let name: String
    private let ask: @Sendable () -> Answer
    /// The answer of the query that is under way; nil while there is none.
    private let current = Lock<Lock<Answer?>?>(nil)

    /// Creates a query.
    ///
    /// - Parameters:
    ///   - name: the thread's name.
    ///   - ask: blocks until the response.
    init(name: String, _ ask: @escaping @Sendable () -> Answer) {
        self.name = name
        self.ask = ask
    }

    /// Blocks until the response; nil if there is none within the limit, or no threads are left.
    func answer(within limit: Duration) -> Answer? {
        let answer = current.withLock { current -> Lock<Answer?>? in
            if let current { return current }
            let answer = Lock<Answer?>(nil)
            guard WorkerThread.detach(name: name, { [self] in make(answer) }) else { return nil }
            current = answer
            return answer
        }
        return answer?.wait(until: .now + limit) { $0 }
    }

    private func make(_ answer: Lock<Answer?>) {
        let response = ask()
        // Before the response: whoever has it may ask again at once.
        current.withLock { $0 = nil }
        answer.withLockSignalling { $0 = response }
    }
}
