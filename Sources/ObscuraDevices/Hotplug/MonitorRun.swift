// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraMedia

/// One run of a monitor's thread.
final class MonitorRun: Sendable {
    /// The interval of scans where the system reports no changes.
    private static let interval = Duration.seconds(1)

    private let finder: any DeviceFinder
    private let sources: ChangeSources
    private let onEvent: @Sendable () -> Void
    private let onChange: @Sendable (MonitorRun, DeviceChange) -> Void
    private let isReporting = Lock(false)
    /// The result of the last scan; nil before the first. Held during a scan, which orders concurrent ones.
    private let lastDevices = Lock<[FoundDevice]?>(nil)

    /// Creates a run; nil if no file descriptors are left.
    ///
    /// - Parameters:
    ///   - onEvent: called at once when the nodes may have changed.
    ///   - onChange: called for each change, when the nodes have settled.
    init?(
        finder: any DeviceFinder, onEvent: @escaping @Sendable () -> Void,
        onChange: @escaping @Sendable (MonitorRun, DeviceChange) -> Void
    ) {
        let sources = ChangeSources(
            files: finder.files, filter: finder.eventFilter, graph: finder.graphFilter)
        guard let sources else { return nil }
        self.finder = finder
        self.sources = sources
        self.onEvent = onEvent
        self.onChange = onChange
    }

    /// Starts the thread; called once. The thread keeps the run alive until ``stop()``.
    func begin() {
        let isStarted = WorkerThread.detach(name: "hotplug") { self.work() }
        if !isStarted { hotplugLogger.warning("Hot-plug changes are not reported: no threads are left.") }
    }

    /// Ends the thread without waiting for it. No change is reported afterwards.
    func stop() {
        sources.stop()
    }

    /// Makes the first scan and reports changes from then on. Before, only watches are informed, and no node is opened.
    func startReporting() {
        // Set before the scan: an event that the thread skips until then is older than the scan.
        isReporting.withLock { $0 = true }
        lastDevices.withLock { lastDevices in
            if lastDevices == nil { lastDevices = finder.devices }
        }
    }

    private func work() {
        defer { sources.close() }
        finder.noteDuplicates()
        while true {
            switch sources.wait(atMost: sources.reportChanges ? nil : Self.interval) {
            case .stopped: return
            case .quiet where sources.reportChanges: continue
            case .quiet, .changed:
                noteEvent()
                guard isReporting.withLock({ $0 }) else { continue }
                guard let changes = settledChanges() else { return }
                for change in changes { onChange(self, change) }
            }
        }
    }

    /// Records duplicates before a watch wakes its thread: a device connected beside its duplicate must be known as one
    /// when the duplicate is removed.
    private func noteEvent() {
        finder.noteDuplicates()
        onEvent()
    }

    /// Returns the changes, once there were no events for a while and new devices are permitted, or after
    /// ``SettlingTime/limit``. Nil if the thread is to end.
    private func settledChanges() -> [DeviceChange]? {
        var time = SettlingTime(now: .now)
        while true {
            while let rest = time.rest(at: .now) {
                switch sources.wait(atMost: rest) {
                case .stopped: return nil
                case .changed:
                    noteEvent()
                    time.begin(at: .now)
                case .quiet: continue
                }
            }
            if let changes = scan(mayWait: time.mayWait(at: .now)) { return changes }
            time.begin(at: .now)
        }
    }

    /// Returns the changes since the last scan; nil if a new node still lacks permission and `mayWait` is set.
    private func scan(mayWait: Bool) -> [DeviceChange]? {
        lastDevices.withLock { lastDevices in
            let devices = finder.devices
            let old = lastDevices ?? devices
            let lacksPermission = devices.contains { device in
                device.authorization != .authorized && !old.contains { $0.isSameDevice(as: device) }
            }
            if mayWait, lacksPermission { return nil }
            let new = devices.map { DeviceChange.device($0, asReportedIn: old) }
            lastDevices = new
            return DeviceChange.changes(from: old, to: new)
        }
    }
}
