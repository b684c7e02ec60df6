// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Logging
internal import ObscuraMedia

/// The end of a session: by a stop, or by the end of every source. On the control thread.
extension CaptureSession {
    func closeAll() {
        let deadline = HostTime.now + Self.patience
        let (sources, outputs) = state.withLock { ($0.sources, $0.graph.outputs) }
        // The order matters: first no new frames, then the end of the readers (which unblocks a driver that waits
        // for one), then the end of the drivers, all at the same time.
        for source in sources { source.abandon() }
        let callbacks = outputs.flatMap { $0.sessionWillStop() }
        retire(sources, until: deadline)
        // The callbacks get the same deadline as the devices.
        wait(for: callbacks, until: deadline)
        announceStop()
    }

    /// Waits for running callbacks, and reports those that still run at the deadline.
    func wait(for callbacks: [any RunningCallback], until deadline: HostTime) {
        let leaving = state.withLock { state in
            defer { state.leaving.removeAll() }
            return state.leaving
        }
        let busy = (callbacks + leaving).filter { !$0.wait(until: deadline) }.map(\.name)
        if !busy.isEmpty {
            Self.logger.warning("stopped while callbacks still run", metadata: ["readers": "\(busy)"])
            listeners.send(.stillBusy(busy))
        }
    }

    /// Closes sources that are no longer needed, all at the same time, and keeps their statistics.
    func retire(_ sources: [RunningSource], until deadline: HostTime = .now + RunningSource.patience) {
        for source in sources { source.abandon() }
        RunningSource.stop(sources, until: deadline)
        forget(sources)
    }

    /// Removes ended sources and keeps only their statistics.
    func forget(_ sources: [RunningSource]) {
        for source in sources { source.source.retirePools() }
        state.withLock { state in
            state.sources.removeAll { old in sources.contains { $0.run === old.run } }
            state.formerSources = (state.formerSources + sources.map(\.source)).suffix(Self.formerSourcesKept)
        }
    }

    private static let formerSourcesKept = 16

    /// Stops the session when every source has ended; readers can still take the remaining frames.
    func closeIfAllEnded() {
        let sources = state.withLock { state -> [RunningSource]? in
            guard state.machine.isRunning, !state.sources.isEmpty, state.sources.allSatisfy(\.source.hasEnded),
                state.machine.stop() == .close
            else { return nil }
            return state.sources
        }
        guard let sources else { return }
        retire(sources)
        announceStop()
    }

    func announceStop() {
        if state.withLock({ $0.machine.closed() }) == .announceStop { listeners.send(.stopped) }
    }
}
