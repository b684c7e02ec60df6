// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraCapture
public import ObscuraMedia

extension FrameExport {
    /// Where an export stands.
    public struct Progress: Sendable, Hashable {
        /// Frames that are whole in their files, or that the pipe has taken.
        public let frames: Int
        /// The bytes of these frames.
        public let bytes: Int64
        /// Frames that were lost on the way to the writer, but for those that a stop left over.
        public let dropped: UInt64
        /// The time of the first frame that the writer was given; nil before it.
        public let first: MediaTime?
        /// The time of the newest frame that the writer was given.
        public let last: MediaTime?
        /// How long it has run.
        public let elapsed: Duration
    }

    /// What became of the frames.
    public struct Report: Sendable {
        /// Why it ended.
        public let ending: Ending
        /// What is whole in its file, or was taken by the pipe.
        public let written: WrittenFrames
        /// The time of the first frame that the writer was given; nil if there was none.
        public let first: MediaTime?
        /// The time of the last frame that the writer was given.
        public let last: MediaTime?
        /// From the start to the last byte.
        public let elapsed: Duration
        /// The mode in which the device ran; nil if it never did.
        public let format: VideoFormat?
        /// What came out of the device; nil if it never ran.
        public let input: SessionLedger.Input?
        /// The account of the export as a reader. `delivered` counts what the writer was offered: more than
        /// was written when a limit was reached, it was stopped, or writing failed.
        public let reader: SessionLedger.Reader?

        /// Frames a second that were written; 0 if none were.
        public var rate: Double {
            let seconds = Double(elapsed.wholeNanoseconds) / 1e9
            return seconds > 0 ? Double(written.frames) / seconds : 0
        }
    }

    /// Where it stands at this moment.
    public var progress: Progress {
        let (counts, now) = (writer.counts, state.withLock { $0 })
        let dropped = session.ledger.readers.reduce(0) { $0 + $1.frames.lost }
        return Progress(
            frames: counts.frames, bytes: counts.bytes, dropped: dropped, first: now.first, last: now.last,
            elapsed: now.begin.map { .now - $0 } ?? .zero)
    }
}

extension ReaderLedger {
    /// What was dropped, but for what was left over at a stop.
    fileprivate var lost: UInt64 { dropped.total - dropped[.stopped] }
}

extension FrameExport.Report {
    /// Frames that were lost on the way to the writer, but for those that a stop left over.
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
