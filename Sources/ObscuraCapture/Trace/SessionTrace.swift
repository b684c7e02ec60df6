// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
public import ObscuraMedia

/// A trace: a recording of the timing and events of a session's devices in a file, to reproduce a bug.
///
/// The file contains the times of all frames and sound, gaps, faults and events; on request also the pictures. Start a
/// trace with ``CaptureSession/trace(to:options:)``.
///
/// ```swift
/// let trace = try session.trace(to: "bug.trace")
/// try await session.start()
/// // … until the bug has shown itself
/// let report = try await trace.finish()
/// ```
///
/// `CaptureDevice.named("replay:bug.trace")` plays the file back; in tests, use `ReplayDriver`. The file is text, with
/// one JSON object in each line. The file contains the names of devices and the addresses of network cameras, with
/// passwords masked.
///
/// Thread-safe.
public final class SessionTrace: Sendable {
    /// Settings of a trace.
    public struct Options: Sendable, Hashable {
        /// Whether the pictures are stored: compressed frames unchanged, other frames as JPEG. If false, a replay shows
        /// the test pattern. Sound is never stored; a replay is silent.
        public var includesPictures = false
        /// Whether an existing file is replaced.
        public var overwrites = false
        /// The maximum size of the file in bytes (default: 1 GiB). The trace ends when the file reaches this size.
        public var maximumByteCount: Int64 = 1 << 30

        /// Creates the default options: no pictures, no overwriting.
        public init() {}
    }

    /// The result of a trace.
    public struct Report: Sendable, Hashable {
        /// The path of the file.
        public let path: String
        /// The size of the file in bytes.
        public let byteCount: Int64
        /// Number of frames, buffers and events that are missing, because the disk was too slow.
        public let omittedRecords: Int
        /// Number of pictures that are missing, because they could not be compressed in time.
        public let omittedPictures: Int
        /// Whether the trace ended at the maximum size.
        public let isCut: Bool
    }

    private static let finishing = WorkerPool(name: "end-trace", threads: 1)

    private let writer: TraceWriter
    private let onEnd: @Sendable () -> Void

    init(_ writer: TraceWriter, onEnd: @escaping @Sendable () -> Void) {
        self.writer = writer
        self.onEnd = onEnd
    }

    /// The path of the file.
    public var path: String { writer.path }
    /// The size of the file so far, in bytes.
    public var byteCount: Int64 { writer.byteCount }

    /// Ends the trace, and waits until the file is complete. The session continues.
    ///
    /// - Throws: ``ObscuraError``: the error that ended the trace early, such as `diskFull`.
    @discardableResult
    nonisolated(nonsending) public func finish() async throws(ObscuraError) -> Report {
        onEnd()
        let outcome = try await Self.finishing.run { [writer] in
            Result { () throws(ObscuraError) in try writer.end() }
        }.get()
        return Report(
            path: path, byteCount: outcome.byteCount, omittedRecords: outcome.omittedRecords,
            omittedPictures: outcome.omittedPictures, isCut: outcome.isCut)
    }
}
