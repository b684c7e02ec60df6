// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraBase
internal import ObscuraMedia

/// The configuration locks of devices in this process.
final class ConfigurationLocks: Sendable {
    static let shared = ConfigurationLocks()

    /// The thread that holds each lock, by unique id.
    private let holders = Lock<[String: pthread_t]>([:])

    private enum Answer {
        case acquired
        case alreadyHeld
    }

    /// Runs `body` with exclusive access to a device. Blocks until the lock is free.
    ///
    /// - Throws: errors of the body; ``ObscuraError/Code/timedOut`` if the lock is not free in time, and
    ///   ``ObscuraError/Code/invalidConfiguration`` for a call from within such a body.
    func withLock<R>(
        on uniqueID: String, named name: String, until deadline: HostTime, _ body: () throws -> R
    ) throws -> R {
        let thread = pthread_self()
        let answer: Answer? = holders.wait(until: deadline) { holders in
            guard let holder = holders[uniqueID] else {
                holders[uniqueID] = thread
                return .acquired
            }
            return holder == thread ? .alreadyHeld : nil
        }
        switch answer {
        case nil:
            throw ObscuraError(
                .capture, .timedOut, subject: name, reason: "another call of lockForConfiguration still holds the lock",
                advice: "Keep the closure of lockForConfiguration short.")
        case .alreadyHeld:
            throw ObscuraError(
                .capture, .invalidConfiguration, subject: name,
                reason: "this thread has already locked the device with lockForConfiguration",
                advice: "Do not nest the calls: use the configuration that the outer closure received.")
        case .acquired:
            defer { holders.withLockSignalling { _ = $0.removeValue(forKey: uniqueID) } }
            return try body()
        }
    }
}
