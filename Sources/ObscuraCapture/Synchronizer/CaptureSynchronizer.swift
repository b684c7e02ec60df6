// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// The frames of several outputs that belong together, by their host times.
///
/// The first output leads: each of its frames makes one set with the nearest frame of each other output.
/// An output that has nothing near enough is missing from the set; one that has stopped giving frames is
/// not waited for longer than ``patience``. A lossless output (a file) waits for the others as long as they
/// come within two seconds.
public final class CaptureSynchronizer: Sendable {
    /// Frames that were taken together.
    public struct FrameSet: Sendable {
        /// One for each output, in their order; nil where there was none near enough.
        public let frames: [VideoFrame?]
        /// When the leading frame was taken, on CLOCK_MONOTONIC.
        public let hostTime: HostTime
    }

    /// Whose frames; the first one leads.
    public let outputs: [VideoDataOutput]
    /// How far apart frames may lie and still belong together.
    public let tolerance: Duration
    /// How long a late output is waited for, in the time of the frames.
    public let patience: Duration

    /// - Parameters:
    ///   - outputs: whose frames; the first one leads.
    ///   - tolerance: half the time between two frames of the leader is a good choice.
    ///   - patience: how long a late output is waited for.
    public init(
        outputs: [VideoDataOutput], tolerance: Duration = .milliseconds(17),
        patience: Duration = .milliseconds(100)
    ) {
        self.outputs = outputs
        self.tolerance = tolerance
        self.patience = patience
    }

    /// The sets, for a `for try await` loop. Each loop is a reader of each output.
    ///
    /// Ends when the leader ends, and throws ``ObscuraError`` when any of the sources fails.
    public var frameSets: FrameSets { FrameSets(synchronizer: self) }

    /// Sets of frames as an asynchronous sequence.
    public struct FrameSets: AsyncSequence, Sendable {
        /// One set for each frame of the leader.
        public typealias Element = FrameSet
        /// What a source says when it fails.
        public typealias Failure = ObscuraError

        let synchronizer: CaptureSynchronizer

        /// A new reader of each output.
        public func makeAsyncIterator() -> Iterator {
            Iterator(reading: SynchronizedReading(synchronizer))
        }

        /// One reader. Use it from one task at a time.
        public struct Iterator: AsyncIteratorProtocol {
            let reading: SynchronizedReading

            /// The next set; nil at the end of the leader or when the task was cancelled.
            ///
            /// - Throws: ``ObscuraError`` when a source failed.
            nonisolated(nonsending) public mutating func next() async throws(ObscuraError) -> FrameSet? {
                try await reading.next()
            }

            /// The same, for callers on an actor.
            public mutating func next(
                isolation actor: isolated (any Actor)?
            ) async throws(ObscuraError) -> FrameSet? {
                try await reading.next()
            }
        }
    }
}
