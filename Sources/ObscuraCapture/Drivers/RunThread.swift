// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
package import ObscuraMedia

/// The thread of a run that produces frames or audio, and the cancellation that ends it.
package final class RunThread: Sendable {
    /// The token that ends the waits of the thread.
    package let cancellation = CancellationToken()
    private let thread = Lock<WorkerThread?>(nil)

    package init() {}

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - name: The name of the thread.
    ///   - subject: The subject of the error.
    /// - Throws: `deviceFailed` if the system has no thread left.
    package func start(
        name: String, subject: String, _ body: @escaping @Sendable () -> Void
    ) throws(ObscuraError) {
        guard let thread = WorkerThread(name: name, body) else {
            throw ObscuraError.noThread(.capture, .deviceFailed, subject)
        }
        self.thread.withLock { $0 = thread }
    }

    /// Waits for the end of the cancelled thread, for at most two seconds.
    package func join() {
        _ = thread.withLock { $0 }?.join(until: .now + .seconds(2))
    }
}

/// A run whose work is done by a ``RunThread``.
package protocol ThreadedRun: CaptureRun {
    var thread: RunThread { get }
}

extension ThreadedRun {
    package func cancel() {
        thread.cancellation.cancel()
    }

    package func stop() {
        cancel()
        thread.join()
    }
}
