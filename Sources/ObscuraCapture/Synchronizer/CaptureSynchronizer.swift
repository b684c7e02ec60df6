// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// A synchronizer that combines the frames of several outputs into sets by their host times.
///
/// The first output leads: each of its frames makes one set with the nearest frame of each other output. If an
/// output has no frame within ``tolerance``, it is missing from the set; an output that has stopped delivering
/// frames delays sets by at most ``patience``. A lossless output (a file) waits up to two seconds for the frames of
/// the others.
public final class CaptureSynchronizer: Sendable {
    /// Frames taken at the same time.
    public struct FrameSet: Sendable {
        /// One frame for each output, in the order of the outputs; nil if none is near enough.
        public let frames: [VideoFrame?]
        /// The capture time of the leading frame, on CLOCK_MONOTONIC.
        public let hostTime: HostTime
    }

    /// The outputs; the first one leads.
    public let outputs: [VideoDataOutput]
    /// The maximum time between frames of a set.
    public let tolerance: Duration
    /// The maximum wait for a late output, measured in frame times.
    public let patience: Duration

    /// Creates a synchronizer.
    ///
    /// - Parameters:
    ///   - outputs: The outputs; the first one leads.
    ///   - tolerance: The maximum time between frames of a set; half the frame interval of the leader is a good
    ///     choice.
    ///   - patience: The maximum wait for a late output, measured in frame times.
    public init(
        outputs: [VideoDataOutput], tolerance: Duration = .milliseconds(17),
        patience: Duration = .milliseconds(100)
    ) {
        self.outputs = outputs
        self.tolerance = tolerance
        self.patience = patience
    }

    /// The sets, for a `for try await` loop. Each loop is a separate reader of each output.
    ///
    /// Ends when the leader ends, and throws ``ObscuraError`` when any source fails.
    public var frameSets: FrameSets { FrameSets(synchronizer: self) }

    /// Sets of frames as an asynchronous sequence.
    public struct FrameSets: AsyncSequence, Sendable {
        /// A set for one frame of the leader.
        public typealias Element = FrameSet
        /// The error thrown when a source fails.
        public typealias Failure = ObscuraError

        let synchronizer: CaptureSynchronizer

        /// Returns a new reader of each output.
        public func makeAsyncIterator() -> Iterator {
            Iterator(reading: SynchronizedReading(synchronizer))
        }

        /// A single reader. Must be used by one task at a time.
        public struct Iterator: AsyncIteratorProtocol {
            let reading: SynchronizedReading

            /// Returns the next set; nil at the end of the leader or when the task was cancelled.
            ///
            /// - Throws: ``ObscuraError`` when a source has failed.
            nonisolated(nonsending) public mutating func next() async throws(ObscuraError) -> FrameSet? {
                try await reading.next()
            }

            /// Does the same for callers on an actor.
            public mutating func next(
                isolation actor: isolated (any Actor)?
            ) async throws(ObscuraError) -> FrameSet? {
                try await reading.next()
            }
        }
    }
}
