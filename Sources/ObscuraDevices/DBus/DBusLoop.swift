// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraMedia

/// The calls and the observers of one connection. For its thread only.
struct DBusLoop {
    private let bus: SDBus
    /// The calls that wait for a reply, by their serials.
    private var calls: [UInt64: (deadline: HostTime, reply: DBusJob.Reply?)] = [:]
    private var observers: [(match: DBusMatch, observer: DBusJob.Observer)] = []
    /// Whether the bus has sent something: before that, there was no connection that could be lost.
    private var isConnected = false

    /// The time limit for calls without a caller.
    private static let ownLimit = Duration.seconds(10)
    /// The interval at which a connection without any deadline wakes up.
    private static let longWait = Duration.seconds(3600)

    init(_ bus: SDBus) {
        self.bus = bus
    }

    /// Sends a call whose result is of no interest.
    mutating func begin(_ call: DBusCall) throws(DBusFailure) {
        calls[try bus.send(call)] = (.now + Self.ownLimit, nil)
    }

    mutating func begin(_ job: DBusJob) throws(DBusFailure) {
        switch job {
        case .call(let call, let deadline, let reply):
            do throws(DBusFailure) {
                calls[try bus.send(call)] = (deadline, reply)
            } catch {
                reply(.failure(error))
            }
        case .observe(let match, let observer):
            observers.append((match, observer))
            try begin(.addMatch(match))
        }
    }

    /// Sends and receives what is possible at once, and ends calls whose time is over.
    mutating func process() throws(DBusFailure) {
        var isBusy = true
        while isBusy {
            let step = try bus.next()
            isBusy = step.isBusy
            if step.message != nil { isConnected = true }
            switch step.message {
            case .reply(let serial, let result): calls.removeValue(forKey: serial)?.reply?(result)
            case .signal(let signal):
                for (match, observer) in observers where match.selects(signal) { observer(.signal(signal)) }
            case nil: break
            }
        }
        let now = HostTime.now
        for serial in calls.filter({ $0.value.deadline <= now }).keys {
            calls.removeValue(forKey: serial)?.reply?(.failure(.timedOut))
        }
    }

    /// Blocks until there is something to do.
    func wait(with eventFD: EventFD) {
        let awaited = bus.awaited
        var entries = [awaited.poll]
        let deadlines = calls.values.map(\.deadline) + [awaited.deadline ?? .now + Self.longWait]
        _ = eventFD.wait(withAny: &entries, until: deadlines.min() ?? .now + Self.longWait)
    }

    /// Reports the end of the connection, and returns its reason: that of the error only if there was no connection yet.
    mutating func end(with error: DBusFailure) -> DBusFailure {
        let failure = isConnected ? .connectionLost : error
        // In this order: see `DBusConnection.fail`.
        for (_, observer) in observers { observer(.ended(failure)) }
        for call in calls.values { call.reply?(.failure(failure)) }
        calls = [:]
        observers = []
        return failure
    }
}

extension DBusCall {
    fileprivate static func addMatch(_ match: DBusMatch) -> DBusCall {
        DBusCall(
            destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
            member: "AddMatch", arguments: [.text(match.rule)])
    }
}
