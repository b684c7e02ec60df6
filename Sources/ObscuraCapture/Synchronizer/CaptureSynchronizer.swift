// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// A synchronizer that combines frames of several outputs into sets by the host times of the frames.
///
/// Each frame of the first output makes one set, together with the nearest frame of each other output. If another
/// output has no frame within ``tolerance``, the set contains nil for that output. An output that delivers no frames
/// delays a set by at most ``patience``. The source of a lossless output (a file) waits up to two seconds for frames of
/// the other outputs.
public final class CaptureSynchronizer: Sendable {
    /// A frame of the first output, and the frames that the other outputs captured at about the same time.
    public struct FrameSet: Sendable {
        /// One frame for each output, in the order of the outputs; nil for an output without a frame within the
        /// ``CaptureSynchronizer/tolerance``.
        public let frames: [VideoFrame?]
        /// The capture time of the first output's frame, on CLOCK_MONOTONIC.
        public let hostTime: HostTime
    }

    /// The outputs. Each frame of the first output makes one set.
    public let outputs: [VideoDataOutput]
    /// The maximum difference between the host times of the first output's frame and another frame of the set.
    public let tolerance: Duration
    /// The maximum time for which a set waits for a late frame, measured by the host times of the frames that arrive
    /// meanwhile.
    public let patience: Duration

    /// Creates a synchronizer.
    ///
    /// - Parameters:
    ///   - outputs: The outputs. Each frame of the first output makes one set.
    ///   - tolerance: The maximum difference between the host times of the first output's frame and another frame of
    ///     the set. Half the frame interval of the first output is a good choice.
    ///   - patience: The maximum time for which a set waits for a late frame, measured by the host times of the frames
    ///     that arrive meanwhile.
    public init(
        outputs: [VideoDataOutput], tolerance: Duration = .milliseconds(17),
        patience: Duration = .milliseconds(100)
    ) {
        self.outputs = outputs
        self.tolerance = tolerance
        self.patience = patience
    }

    /// The sets of frames, for a `for try await` loop. Each loop reads all outputs independently of other loops.
    ///
    /// The loop ends when the frames of the first output end, and throws ``ObscuraError`` when the source of any output
    /// fails.
    public var frameSets: FrameSets { FrameSets(synchronizer: self) }

    /// The sets of frames of a synchronizer, as an asynchronous sequence.
    public struct FrameSets: AsyncSequence, Sendable {
        /// A set of frames, one for each output.
        public typealias Element = FrameSet
        /// The error thrown when a source fails.
        public typealias Failure = ObscuraError

        let synchronizer: CaptureSynchronizer

        /// Returns an iterator that reads all outputs of the synchronizer.
        public func makeAsyncIterator() -> Iterator {
            Iterator(reading: SynchronizedReading(synchronizer))
        }

        /// An iterator over the sets of frames. Use it from one task at a time.
        public struct Iterator: AsyncIteratorProtocol {
            let reading: SynchronizedReading

            /// Returns the next set of frames; nil if the frames of the first output have ended, or the task was
            /// cancelled.
            ///
            /// - Throws: ``ObscuraError`` when a source has failed.
            nonisolated(nonsending) public mutating func next() async throws(ObscuraError) -> FrameSet? {
                try await reading.next()
            }

            /// Does the same as `next()`, for callers on an actor.
            public mutating func next(
                isolation actor: isolated (any Actor)?
            ) async throws(ObscuraError) -> FrameSet? {
                try await reading.next()
            }
        }
    }
}
