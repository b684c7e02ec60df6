// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// Giving the devices back for a while, as an app does that goes to the background.
extension CaptureSession {
    /// Whether the session was paused, and waits for ``resume()``.
    public var isPaused: Bool { state.withLock { $0.machine.isPaused } }

    /// Closes the devices, so that others may have them, and keeps everything else: outputs, readers and
    /// their accounts. The readers wait. Does nothing if the session does not run.
    nonisolated(nonsending) public func pause() async {
        await control.run { [self] in
            guard state.withLock({ $0.machine.pause() }) == .release else { return }
            let sources = state.withLock { $0.sources }
            for source in sources { source.withdraw() }
            retire(sources)
            if state.withLock({ $0.machine.released() }) == .announcePause { listeners.send(.paused) }
        }
    }

    /// Opens the devices again; the first frames carry a discontinuity. Does nothing if the session is not
    /// paused.
    ///
    /// - Throws: ``CaptureError``, as ``start()``; then the session is still paused.
    nonisolated(nonsending) public func resume() async throws(CaptureError) {
        try await control.run { [self] in
            Result { () throws(CaptureError) in try reopen() }
        }.get()
    }

    private func reopen() throws(CaptureError) {
        guard state.withLock({ $0.machine.resume() }) == .reopen else { return }
        let (graph, plan) = state.withLock { ($0.graph, $0.plan) }
        let sources: [RunningSource]
        do throws(CaptureError) {
            sources = try openInputs(of: graph, plan)
        } catch {
            state.withLock { _ = $0.machine.opened(false) }
            throw error
        }
        // A stop that came meanwhile closes everything next; what was opened is not known to it.
        guard state.withLock({ $0.machine.opened(true) }) == .announceResumption else {
            for source in sources { source.close() }
            throw .cancelled("session")
        }
        for source in sources { source.source.markDiscontinuity() }
        install(sources, plan)
        listeners.send(.resumed)
        for source in sources { source.source.announce() }
        closeIfAllEnded()
    }
}
