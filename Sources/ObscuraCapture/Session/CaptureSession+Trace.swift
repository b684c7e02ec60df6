// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
public import ObscuraMedia

extension CaptureSession {
    /// Starts a trace: a recording of the timing and events of the devices, for a replay; see ``SessionTrace``.
    ///
    /// The trace ends with ``SessionTrace/finish()``, at the maximum size, or when the session object is released.
    /// Stopping the session does not end the trace. To record how the devices start, start the trace before the
    /// session. Live devices never wait for the disk: if the disk is too slow, records are missing in the trace
    /// (``SessionTrace/Report``).
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - options: whether pictures are stored, whether an existing file is replaced, and the maximum size.
    /// - Throws: ``ObscuraError``: `invalidState` if another trace of the session is not finished; `fileExists`,
    ///   `notWritable`, `diskFull`.
    @discardableResult
    public func trace(
        to path: String, options: SessionTrace.Options = SessionTrace.Options()
    ) throws(ObscuraError) -> SessionTrace {
        guard state.withLock({ $0.trace }) == nil else { throw .isTracing(path) }
        let writer = try TraceWriter(
            path, includesPictures: options.includesPictures, overwrites: options.overwrites,
            limit: options.maximumByteCount)
        let sinks = try state.withLock { state throws(ObscuraError) in
            guard state.trace == nil else { throw .isTracing(path) }
            state.trace = writer
            return state.sinks.compactMap(\.sink)
        }
        for sink in sinks { sink.begin(writer) }
        return SessionTrace(writer) { [weak self] in self?.endTrace(writer) }
    }

    private func endTrace(_ writer: TraceWriter) {
        let sinks = state.withLock { state -> [TracedSink] in
            guard state.trace === writer else { return [] }
            state.trace = nil
            return state.sinks.compactMap(\.sink)
        }
        for sink in sinks { sink.endTrace() }
    }
}

extension ObscuraError {
    fileprivate static func isTracing(_ path: String) -> ObscuraError {
        ObscuraError(
            .capture, .invalidState, subject: path,
            reason: "the trace was not started, because another trace of the session is being written",
            advice: "Finish the other trace first.")
    }
}
