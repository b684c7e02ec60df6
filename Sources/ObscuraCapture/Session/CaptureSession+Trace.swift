// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
public import ObscuraMedia

extension CaptureSession {
    /// Begins a trace: a file with what the drivers deliver from now on, which can be played back. See ``SessionTrace``.
    ///
    /// The trace lasts until ``SessionTrace/finish()`` or the end of the session object, across stops and starts. To see how
    /// the devices start, begin it before ``start()``. Live devices never wait for the disk: what it is too slow for is missing
    /// in the trace (``SessionTrace/Report``).
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - options: whether pictures are stored, whether an existing file is replaced, and the maximum size.
    /// - Throws: ``ObscuraError``: `invalidState` while the session has another trace; `fileExists`, `notWritable`,
    ///   `diskFull`.
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
            .capture, .invalidState, subject: path, reason: "the session is already being traced",
            advice: "Finish the other trace first.")
    }
}
