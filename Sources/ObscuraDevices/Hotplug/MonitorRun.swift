// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraMedia

/// One life of a monitor's thread.
final class MonitorRun<Finder: DeviceFinder>: Sendable {
    /// How often one looks where the system tells nothing.
    private static var interval: Duration { .seconds(1) }

    private let finder: Finder
    private let sources: ChangeSources
    private let changed: @Sendable () -> Void
    private let tell: @Sendable (MonitorRun<Finder>, DeviceChange<Finder.Found>) -> Void
    private let isTelling = Lock(false)
    /// What the last look saw; nil before the first. Held while one looks, so that looks have an order.
    private let known = Lock<[Finder.Found]?>(nil)

    /// Nil if the system has no descriptors left.
    ///
    /// - Parameters:
    ///   - changed: called when the nodes may have changed, at once.
    ///   - tell: called for each change, when the nodes have come to rest.
    init?(
        finder: Finder, changed: @escaping @Sendable () -> Void,
        tell: @escaping @Sendable (MonitorRun<Finder>, DeviceChange<Finder.Found>) -> Void
    ) {
        guard let sources = ChangeSources(files: finder.files, signs: finder.signs) else { return nil }
        self.finder = finder
        self.sources = sources
        self.changed = changed
        self.tell = tell
    }

    /// Starts the thread; once. The thread keeps the run alive until ``stop()``.
    func begin() {
        let isStarted = WorkerThread.detach(name: "hotplug") { self.work() }
        if !isStarted { hotplugLogger.warning("devices that come or go are not noticed: no threads are left") }
    }

    /// Ends the thread soon; does not wait for it. Nothing new is told.
    func stop() {
        sources.stop()
    }

    /// Looks for the first time, and has the changes from then on told. Until then nobody but the watches is
    /// told, and no node is opened.
    func startTelling() {
        // Before the look: an event that the thread passes over meanwhile is older than the look.
        isTelling.withLock { $0 = true }
        known.withLock { known in
            if known == nil { known = finder.found }
        }
    }

    private func work() {
        finder.noteTwins()
        while true {
            switch sources.wait(atMost: sources.areTold ? nil : Self.interval) {
            case .stopped: return
            case .quiet where sources.areTold: continue
            case .quiet, .changed:
                noteChange()
                guard isTelling.withLock({ $0 }) else { continue }
                guard let changes = settle() else { return }
                for change in changes { tell(self, change) }
            }
        }
    }

    /// Before anybody is woken: who is plugged in beside a twin must be known as such when the twin goes.
    private func noteChange() {
        finder.noteTwins()
        changed()
    }

    /// The changes, when nothing has happened for a while and what is new may be used, or patience has ended.
    /// Nil if the thread is to end.
    private func settle() -> [DeviceChange<Finder.Found>]? {
        var time = SettlingTime(now: .now)
        while true {
            while let rest = time.rest(at: .now) {
                switch sources.wait(atMost: rest) {
                case .stopped: return nil
                case .changed:
                    noteChange()
                    time.begin(at: .now)
                case .quiet: continue
                }
            }
            if let changes = look(mayWait: time.mayWait(at: .now)) { return changes }
            time.begin(at: .now)
        }
    }

    /// The changes since the last look; nil if it is too early to tell them, since the rights to a new node
    /// are still missing.
    private func look(mayWait: Bool) -> [DeviceChange<Finder.Found>]? {
        known.withLock { known in
            let devices = finder.found
            let old = known ?? devices
            let lacksRights = devices.contains { device in
                device.authorization != .authorized && !old.contains { $0.isSameDevice(as: device) }
            }
            if mayWait, lacksRights { return nil }
            let new = devices.map { DeviceChange.device($0, asToldIn: old) }
            known = new
            return DeviceChange.changes(from: old, to: new)
        }
    }
}
