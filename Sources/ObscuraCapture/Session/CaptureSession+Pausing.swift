// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// Releases the devices temporarily, such as for an app in the background.
extension CaptureSession {
    /// Whether the session is paused; see ``pause()``.
    public var isPaused: Bool { state.withLock { $0.machine.isPaused } }

    /// Closes the devices, so that other processes can use them. Loops and delegates remain attached to their outputs,
    /// and get no frames until ``resume()``. Does nothing if the session does not run.
    ///
    /// If a source (such as a movie) has already ended, loops and delegates can still take its remaining frames.
    nonisolated(nonsending) public func pause() async {
        await control.run { [self] in
            guard state.withLock({ $0.machine.pause() }) == .release else { return }
            let (sources, outputs) = state.withLock { ($0.sources, $0.graph.outputs) }
            for output in outputs { output.sourcesWillChange() }
            let left = sources.filter { !$0.source.hasEnded }
            for source in left { source.withdraw() }
            // A source that has ended may still be closing its device.
            RunningSource.stop(sources)
            forget(left)
            if state.withLock({ $0.machine.released() }) == .announcePause { listeners.send(.paused) }
        }
    }

    /// Opens the devices again. The first frame of each device is marked as a discontinuity. Does nothing if the
    /// session is not paused.
    ///
    /// A file that had not reached its end restarts from the beginning. A file that had reached its end delivers no
    /// frames until the session is stopped and started again.
    ///
    /// - Throws: ``ObscuraError``, as ``start()``. After an error the session remains paused.
    nonisolated(nonsending) public func resume() async throws(ObscuraError) {
        try await control.run { [self] in
            Result { () throws(ObscuraError) in try reopen() }
        }.get()
    }

    private func reopen() throws(ObscuraError) {
        guard state.withLock({ $0.machine.resume() }) == .reopen else { return }
        let (graph, plan, ended) = state.withLock { ($0.graph, $0.plan, $0.sources) }
        let opened: [RunningSource]
        do throws(ObscuraError) {
            opened = try openInputs(graph.inputs.filter { input in !ended.contains { $0.source.input == input } }, plan)
        } catch {
            state.withLock { _ = $0.machine.opened(false) }
            throw error
        }
        // After a stop in the meantime, `closeAll` follows, but does not include the newly opened sources.
        guard state.withLock({ $0.machine.opened(true) }) == .announceResumption else {
            RunningSource.close(opened)
            throw .cancelled(.capture, "session")
        }
        for source in opened { source.source.markDiscontinuity() }
        // Waiting readers continue with their statistics; readers ended by a device failure start new ones.
        for output in graph.outputs
        where plan.routes.contains(where: { route in
            route.output === output && opened.contains { $0.source.input == route.input }
        }) {
            output.sessionWillStart()
        }
        install(graph.inputs.compactMap { input in (ended + opened).first { $0.source.input == input } }, plan)
        listeners.send(.resumed)
        for source in opened { source.source.announce() }
        closeIfAllEnded()
    }
}
