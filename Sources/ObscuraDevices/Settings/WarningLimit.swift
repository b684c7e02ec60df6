// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraMedia

/// A limit of the rate of a repeated log message.
final class WarningLimit: Sendable {
    private let interval: Duration
    private let next = Lock<HostTime?>(nil)

    init(interval: Duration) {
        self.interval = interval
    }

    /// Whether the message is due; if so, it is not due again for the interval.
    func isDue(at moment: HostTime) -> Bool {
        next.withLock { next in
            if let next, moment < next { return false }
            next = moment + interval
            return true
        }
    }
}
