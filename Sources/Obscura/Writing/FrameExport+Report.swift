// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraCapture
public import ObscuraMedia

extension FrameExport {
    /// The progress of an export.
    public struct Progress: Sendable, Hashable {
        /// Number of written frames; see ``WrittenFrames/frames``.
        public let frames: Int
        /// The size of the written frames, in bytes.
        public let bytes: Int64
        /// Number of frames lost before they reached the writer, except for frames discarded by ``FrameExport/stop()``.
        public let dropped: UInt64
        /// The presentation time of the first frame passed to the writer; nil before the first frame.
        public let first: MediaTime?
        /// The presentation time of the last frame passed to the writer so far; nil before the first frame.
        public let last: MediaTime?
        /// The time since the start of the export.
        public let elapsed: Duration
    }

    /// The result of an export.
    public struct Report: Sendable {
        /// The reason why the export ended.
        public let ending: Ending
        /// Counts of the written frames.
        public let written: WrittenFrames
        /// The presentation time of the first frame passed to the writer; nil if no frame was passed.
        public let first: MediaTime?
        /// The presentation time of the last frame passed to the writer; nil if no frame was passed.
        public let last: MediaTime?
        /// The time from the start of the export to the last byte written.
        public let elapsed: Duration
        /// The mode in which the device ran; nil if the device never ran.
        public let format: VideoFormat?
        /// Statistics of the device; nil if the device never ran.
        public let input: SessionLedger.Input?
        /// Statistics of the frames that the export received; nil if the device was rejected, such as a device without
        /// video.
        ///
        /// The count `delivered` can exceed the number of written frames. It includes frames that were not written
        /// because a limit was reached, the export was stopped, or writing failed.
        public let reader: SessionLedger.Reader?

        /// Written frames per second; 0 if no frame was written.
        public var rate: Double {
            let seconds = Double(elapsed.wholeNanoseconds) / 1e9
            return seconds > 0 ? Double(written.frames) / seconds : 0
        }
    }

    /// The current progress.
    public var progress: Progress {
        let (counts, now) = (writer.counts, state.withLock { $0 })
        let dropped = session.ledger.readers.reduce(0) { $0 + $1.frames.lost }
        return Progress(
            frames: counts.frames, bytes: counts.bytes, dropped: dropped, first: now.first, last: now.last,
            elapsed: now.begin.map { .now - $0 } ?? .zero)
    }
}

extension ReaderLedger {
    /// Dropped frames, except for those discarded by a stop.
    fileprivate var lost: UInt64 { dropped.total - dropped[.stopped] }
}

extension FrameExport.Report {
    /// Number of frames lost before they reached the writer, except for frames discarded by ``FrameExport/stop()``.
    public var dropped: UInt64 { reader?.frames.lost ?? 0 }

    init(_ export: FrameExport, inputs: [SessionLedger.Input]) {
        let state = export.state.withLock { $0 }
        ending = state.ending ?? .stopped
        written = export.writer.counts
        first = state.first
        last = state.last
        elapsed = state.begin.map { .now - $0 } ?? .zero
        format = state.format
        input = inputs.first
        reader = export.session.ledger.readers.first
    }
}
