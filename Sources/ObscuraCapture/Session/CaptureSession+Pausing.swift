// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// Giving the devices back for a while, as an app does that goes to the background.
extension CaptureSession {
    /// Whether the session was paused, and waits for ``resume()``.
    public var isPaused: Bool { state.withLock { $0.machine.isPaused } }

    /// Closes the devices, so that others may have them, and keeps everything else: outputs, readers and
    /// their accounts. The readers wait. Does nothing if the session does not run.
    ///
    /// A source that is at its end stays at its end, and what its readers have not taken yet stays theirs.
    nonisolated(nonsending) public func pause() async {
        await control.run { [self] in
            guard state.withLock({ $0.machine.pause() }) == .release else { return }
            let sources = state.withLock { $0.sources }
            let left = sources.filter { !$0.source.hasEnded }
            for source in left { source.withdraw() }
            // One that is at its end may be letting go of its device just now.
            RunningSource.stop(sources)
            forget(left)
            if state.withLock({ $0.machine.released() }) == .announcePause { listeners.send(.paused) }
        }
    }

    /// Opens the devices again; the first frames carry a discontinuity. Does nothing if the session is not
    /// paused.
    ///
    /// A file that had not ended begins again at its beginning, as at a start; one that had is left alone until
    /// the next start.
    ///
    /// - Throws: ``ObscuraError``, as ``start()``; then the session is still paused.
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
        // A stop that came meanwhile closes everything next; what was opened is not known to it.
        guard state.withLock({ $0.machine.opened(true) }) == .announceResumption else {
            RunningSource.close(opened)
            throw .cancelled(.capture, "session")
        }
        for source in opened { source.source.markDiscontinuity() }
        // Readers that wait go on with their accounts; those that a failed device had ended begin new ones.
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
