// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Logging
internal import ObscuraBase
internal import ObscuraCapture
internal import ObscuraMedia

/// Tells when devices of one kind come and go.
///
/// Whatever wakes it (an event of the kernel, a change in `/dev`), it looks at the machine anew and tells the
/// difference: events may be lost or come twice, the difference is true. Its thread runs while there is
/// somebody to tell.
package final class DeviceMonitor<Finder: DeviceFinder>: Sendable {
    private struct Listeners {
        var next = 0
        var tellers: [Int: @Sendable (DeviceChange<Finder.Found>) -> Void] = [:]
        var watches: [Int: @Sendable () -> Void] = [:]
        var run: MonitorRun<Finder>?

        var isEmpty: Bool { tellers.isEmpty && watches.isEmpty }

        /// A run holds the listeners, and they hold it, until it is taken away.
        mutating func takeRun() -> MonitorRun<Finder>? {
            defer { run = nil }
            return run
        }
    }

    private let finder: Finder
    private let state = Lock(Listeners())
    /// One thread at a time makes a run.
    private let starting = Lock(())

    /// - Parameter finder: looks at the machine.
    package init(finder: Finder) {
        self.finder = finder
    }

    deinit {
        state.withLock { $0.takeRun() }?.stop()
    }

    /// Tells of each change after this call, until what is returned is let go.
    func observe(_ tell: @escaping @Sendable (DeviceChange<Finder.Found>) -> Void) -> Listening {
        let id = add { $0.tellers[$1] = tell }
        // The first look is over when this returns, so that nothing after it is missed.
        state.withLock { $0.run }?.startTelling()
        return Listening { [state] in Self.remove(id, from: state) }
    }

    /// A watch for a thread that waits; it counts from this call.
    func watch() -> ChangeWatch {
        let watch = ChangeWatch()
        let id = add { [weak watch] listeners, id in
            listeners.watches[id] = { [weak watch] in watch?.noteChange() }
        }
        watch.onLeave { [state] in Self.remove(id, from: state) }
        return watch
    }

    /// Whether a thread of it runs.
    var isRunning: Bool { state.withLock { $0.run != nil } }

    private func add(_ insert: (inout Listeners, Int) -> Void) -> Int {
        starting.withLock { _ in
            // From here on nobody ends the run: this listener is there.
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

    private static func remove(_ id: Int, from state: Lock<Listeners>) {
        let ended = state.withLock { state in
            state.tellers[id] = nil
            state.watches[id] = nil
            return state.isEmpty ? state.takeRun() : nil
        }
        ended?.stop()
    }

    private func makeRun() -> MonitorRun<Finder>? {
        let run = MonitorRun(
            finder: finder,
            changed: { [state] in
                for note in state.withLock({ Array($0.watches.values) }) { note() }
            },
            tell: { [state] run, change in
                let tellers = state.withLock { $0.run === run ? Array($0.tellers.values) : [] }
                for tell in tellers { tell(change) }
            })
        if run == nil { hotplugLogger.warning("devices that come or go are not noticed: no descriptors are left") }
        return run
    }
}

let hotplugLogger = Logger(label: "obscura.devices")

/// Keeps a listener of a ``DeviceMonitor`` for as long as it lives.
final class Listening: Sendable {
    private let leave: @Sendable () -> Void

    init(_ leave: @escaping @Sendable () -> Void) {
        self.leave = leave
    }

    deinit {
        leave()
    }
}
