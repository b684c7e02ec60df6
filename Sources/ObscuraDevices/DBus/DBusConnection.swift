// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraBase
internal import ObscuraMedia

/// A connection to a bus, on a thread of its own that is started on first use.
///
/// Thread-safe. Replies and signals are handled on that thread, in the order of their arrival; handlers must not block.
/// If the connection ends, all calls fail, the observers are told, and the next call connects again.
final class DBusConnection: Sendable {
    /// The kinds of bus.
    enum Bus: Sendable {
        case session, system
    }

    private struct State {
        /// The jobs that wait for the thread.
        var jobs: [DBusJob] = []
        /// Wakes the thread; nil without one.
        var eventFD: EventFD?

        mutating func takeJob() -> DBusJob? {
            jobs.isEmpty ? nil : jobs.removeFirst()
        }
    }

    private let bus: Bus
    private let beginning: @Sendable () -> [DBusCall]
    private let state = Lock(State())

    /// Creates a connection; nothing is connected yet.
    ///
    /// - Parameter beginning: returns the calls that precede all others of a connection; their errors are ignored.
    init(_ bus: Bus, beginning: @escaping @Sendable () -> [DBusCall] = { [] }) {
        self.bus = bus
        self.beginning = beginning
    }

    /// Calls a method; `reply` is called once.
    func call(_ call: DBusCall, timeout: Duration, then reply: @escaping DBusJob.Reply) {
        add([.call(call, deadline: .now + timeout, reply)])
    }

    /// Observes signals until the connection ends, and calls a method on the same connection.
    func call(
        _ call: DBusCall, timeout: Duration, observing matches: [DBusMatch],
        with observer: @escaping DBusJob.Observer, then reply: @escaping DBusJob.Reply
    ) {
        add(matches.map { .observe($0, observer) } + [.call(call, deadline: .now + timeout, reply)])
    }

    /// Calls a method, and blocks until the reply. Not on the thread of the connection.
    func call(_ call: DBusCall, timeout: Duration) throws(DBusFailure) -> [DBusValue] {
        let result = Lock<Result<[DBusValue], DBusFailure>?>(nil)
        self.call(call, timeout: timeout) { answer in result.withLockSignalling { $0 = answer } }
        // The call has a time limit of its own.
        return try (result.wait(for: { $0 }) ?? .failure(.timedOut)).get()
    }

    /// Observes signals until the connection ends.
    func observe(_ match: DBusMatch, with observer: @escaping DBusJob.Observer) {
        add([.observe(match, observer)])
    }

    /// Adds jobs for one connection.
    private func add(_ jobs: [DBusJob]) {
        let failure = state.withLock { state -> DBusFailure? in
            if state.eventFD == nil {
                guard let eventFD = try? EventFD("D-Bus") else { return .unreachable(errno: EMFILE) }
                guard WorkerThread.detach(name: "dbus", { [self] in run(eventFD) }) else {
                    return .unreachable(errno: EAGAIN)
                }
                state.eventFD = eventFD
            }
            state.jobs += jobs
            state.eventFD?.signal()
            return nil
        }
        if let failure { Self.fail(jobs, with: failure) }
    }

    /// Reports that the jobs cannot be done: the observations first, so that whoever calls again after a failed call
    /// knows to observe again.
    private static func fail(_ jobs: [DBusJob], with failure: DBusFailure) {
        for job in jobs where !job.isCall { job.fail(with: failure) }
        for job in jobs where job.isCall { job.fail(with: failure) }
    }

    // MARK: Thread

    private func run(_ eventFD: EventFD) {
        let failure = serve(eventFD)
        // Jobs that are added from now on start another thread.
        let rest = state.withLock { state in
            defer { state.jobs = [] }
            state.eventFD = nil
            return state.jobs
        }
        Self.fail(rest, with: failure)
    }

    /// Connects, and does the jobs until the connection ends. Returns the reason.
    private func serve(_ eventFD: EventFD) -> DBusFailure {
        var loop: DBusLoop
        do throws(DBusFailure) {
            loop = DBusLoop(try SDBus(system: bus == .system))
        } catch {
            return error
        }
        do throws(DBusFailure) {
            for call in beginning() { try loop.begin(call) }
            while true {
                // Before the jobs are taken, so that none is missed.
                eventFD.clear()
                // One at a time: if one fails, the others still have to be told.
                while let job = state.withLock({ $0.takeJob() }) { try loop.begin(job) }
                try loop.process()
                loop.wait(with: eventFD)
            }
        } catch {
            return loop.end(with: error)
        }
    }
}
