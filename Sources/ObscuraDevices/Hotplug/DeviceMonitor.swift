// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Logging
internal import ObscuraBase
internal import ObscuraCapture
internal import ObscuraMedia

/// A monitor that reports connected and disconnected devices of one kind.
///
/// Each event (from the kernel, or a change in `/dev`) triggers a new scan, and the difference is reported: events may
/// be lost or repeated, but the difference is exact. The thread runs while there are observers or watches.
final class DeviceMonitor: Sendable {
    private struct State {
        var next = 0
        var observers: [Int: @Sendable (DeviceChange) -> Void] = [:]
        var watches: [Int: @Sendable () -> Void] = [:]
        var run: MonitorRun?

        var isIdle: Bool { observers.isEmpty && watches.isEmpty }

        /// Breaks the reference cycle between the run and this state.
        mutating func takeRun() -> MonitorRun? {
            defer { run = nil }
            return run
        }
    }

    private let finder: any DeviceFinder
    private let state = Lock(State())
    /// Held while a thread creates the run.
    private let starting = Lock(())

    /// Creates a monitor.
    ///
    /// - Parameter finder: scans the machine.
    init(finder: any DeviceFinder) {
        self.finder = finder
    }

    deinit {
        state.withLock { $0.takeRun() }?.stop()
    }

    /// Reports each change after this call, until the returned observation is released.
    func observe(_ report: @escaping @Sendable (DeviceChange) -> Void) -> DeviceObservation {
        let id = add { $0.observers[$1] = report }
        // The first scan is complete when this returns, so that no later change is missed.
        state.withLock { $0.run }?.startReporting()
        return DeviceObservation { [state] in Self.remove(id, from: state) }
    }

    /// Returns a watch for a waiting thread; it reports changes after this call.
    func watch() -> ChangeWatch {
        let watch = ChangeWatch()
        let id = add { [weak watch] state, id in
            state.watches[id] = { [weak watch] in watch?.noteChange() }
        }
        watch.onEnd { [state] in Self.remove(id, from: state) }
        return watch
    }

    /// Whether the thread runs.
    var isRunning: Bool { state.withLock { $0.run != nil } }

    private func add(_ insert: (inout State, Int) -> Void) -> Int {
        starting.withLock { _ in
            // With this entry inserted, no other thread ends the run.
            let (id, isRunning) = state.withLock { state in
                state.next += 1
                insert(&state, state.next)
                return (state.next, state.run != nil)
            }
            if !isRunning, let run = makeRun() {
                state.withLock { $0.run = run }
                run.begin()
            }
            return id
        }
    }

    private static func remove(_ id: Int, from state: Lock<State>) {
        let ended = state.withLock { state in
            state.observers[id] = nil
            state.watches[id] = nil
            return state.isIdle ? state.takeRun() : nil
        }
        ended?.stop()
    }

    private func makeRun() -> MonitorRun? {
        let run = MonitorRun(
            finder: finder,
            onEvent: { [state] in
                for note in state.withLock({ Array($0.watches.values) }) { note() }
            },
            onChange: { [state] run, change in
                let observers = state.withLock { $0.run === run ? Array($0.observers.values) : [] }
                for report in observers { report(change) }
            })
        if run == nil {
            hotplugLogger.warning("Hot-plug changes are not reported: no file descriptors are left.")
        }
        return run
    }
}

let hotplugLogger = Logger(label: "obscura.devices")

/// The registration of an observer of a ``DeviceMonitor``, which lasts as long as this object.
final class DeviceObservation: Sendable {
    private let end: @Sendable () -> Void

    init(_ end: @escaping @Sendable () -> Void) {
        self.end = end
    }

    deinit {
        end()
    }
}
