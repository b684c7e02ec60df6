// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// Work for the thread of a connection.
enum DBusJob: Sendable {
    typealias Reply = @Sendable (Result<[DBusValue], DBusFailure>) -> Void
    typealias Observer = @Sendable (DBusEvent) -> Void

    case call(DBusCall, deadline: HostTime, Reply)
    case observe(DBusMatch, Observer)

    var isCall: Bool {
        if case .call = self { true } else { false }
    }

    /// Reports that the work cannot be done.
    func fail(with failure: DBusFailure) {
        switch self {
        case .call(_, _, let reply): reply(.failure(failure))
        case .observe(_, let observer): observer(.ended(failure))
        }
    }
}

/// An event for an observer of signals.
enum DBusEvent: Sendable {
    case signal(DBusSignal)
    /// The connection has ended, or could not be made; the observer gets nothing more.
    case ended(DBusFailure)
}
