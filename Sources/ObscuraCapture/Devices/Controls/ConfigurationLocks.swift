// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraBase
internal import ObscuraMedia

/// The devices that are being configured in this process.
final class ConfigurationLocks: Sendable {
    static let shared = ConfigurationLocks()

    /// The thread that configures each device, by unique ID.
    private let holders = Lock<[String: pthread_t]>([:])

    private enum Answer {
        case mine
        case mineAlready
    }

    /// Runs `body` while no other body runs for the same device. Blocks until the device is free.
    ///
    /// - Throws: errors of the body; ``ObscuraError/Code/timedOut`` if the device does not become free in
    ///   time, and ``ObscuraError/Code/invalidConfiguration`` if called from within a body for the same
    ///   device.
    func withLock<R>(
        on uniqueID: String, named name: String, until deadline: HostTime, _ body: () throws -> R
    ) throws -> R {
        let thread = pthread_self()
        let answer: Answer? = holders.wait(until: deadline) { holders in
            guard let holder = holders[uniqueID] else {
                holders[uniqueID] = thread
                return .mine
            }
            return holder == thread ? .mineAlready : nil
        }
        switch answer {
        case nil:
            throw ObscuraError(
                .capture, .timedOut, subject: name, reason: "somebody else has it locked for configuration",
                advice: "Keep the closure of lockForConfiguration short.")
        case .mineAlready:
            throw ObscuraError(
                .capture, .invalidConfiguration, subject: name,
                reason: "it was locked for configuration from within such a configuration",
                advice: "Use the configuration that the outer closure has.")
        case .mine:
            defer { holders.withLockSignalling { _ = $0.removeValue(forKey: uniqueID) } }
            return try body()
        }
    }
}
