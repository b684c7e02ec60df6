// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// One life of a monitor's thread.
final class MonitorRun: Sendable {
    /// Nothing has happened for so long: a device is done with appearing.
    private static let quiet = Duration.milliseconds(50)
    /// For so long at the most one waits for that, and for the rights that udev gives to a new node.
    private static let patience = Duration.seconds(1)
    /// How often one looks where the system tells nothing.
    private static let interval = Duration.seconds(1)

    private let finder: CameraFinder
    private let sources: ChangeSources
    private let changed: @Sendable () -> Void
    private let tell: @Sendable (MonitorRun, CameraChange) -> Void
    private let isTelling = Lock(false)
    /// What the last look saw; nil before the first. Held while one looks, so that looks have an order.
    private let known = Lock<[FoundCamera]?>(nil)

    /// Nil if the system has no descriptors left.
    ///
    /// - Parameters:
    ///   - changed: called when the nodes may have changed, at once.
    ///   - tell: called for each change, when the nodes have come to rest.
    init?(
        finder: CameraFinder, changed: @escaping @Sendable () -> Void,
        tell: @escaping @Sendable (MonitorRun, CameraChange) -> Void
    ) {
        guard let sources = ChangeSources(files: finder.files) else { return nil }
        self.finder = finder
        self.sources = sources
        self.changed = changed
        self.tell = tell
    }

    /// Starts the thread; once. The thread keeps the run alive until ``stop()``.
    func begin() {
        let isStarted = WorkerThread.detach(name: "hotplug") { self.work() }
        if !isStarted { CameraMonitor.logger.warning("cameras that come or go are not noticed: no threads are left") }
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
            if known == nil { known = finder.cameras }
        }
    }

    private func work() {
        while true {
            switch sources.wait(atMost: sources.areTold ? nil : Self.interval) {
            case .stopped: return
            case .quiet where sources.areTold: continue
            case .quiet, .changed:
                changed()
                guard isTelling.withLock({ $0 }) else { continue }
                guard let changes = settle() else { return }
                for change in changes { tell(self, change) }
            }
        }
    }

    /// The changes, when nothing has happened for a while and what is new may be used, or patience has ended.
    /// Nil if the thread is to end.
    private func settle() -> [CameraChange]? {
        let deadline = HostTime.now + Self.patience
        while true {
            switch sources.wait(atMost: Self.quiet) {
            case .stopped: return nil
            case .changed:
                changed()
                if HostTime.now < deadline { continue }
            case .quiet: break
            }
            if let changes = look(mayWait: HostTime.now < deadline) { return changes }
        }
    }

    /// The changes since the last look; nil if it is too early to tell them, since the rights to a new node
    /// are still missing.
    private func look(mayWait: Bool) -> [CameraChange]? {
        known.withLock { known in
            let cameras = finder.cameras
            let old = known ?? cameras
            let lacksRights = cameras.contains { camera in
                camera.authorization != .authorized && !old.contains { $0.uniqueID == camera.uniqueID }
            }
            if mayWait, lacksRights { return nil }
            known = cameras
            return CameraChange.changes(from: old, to: cameras)
        }
    }
}
