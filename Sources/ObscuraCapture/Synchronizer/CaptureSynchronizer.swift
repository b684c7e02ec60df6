// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// A synchronizer that combines the frames of several outputs into sets by their host times.
///
/// The first output leads: each of its frames makes one set with the nearest frame of each other output. If an output
/// has no frame within ``tolerance``, the set has nil for that output. An output that has stopped delivering frames
/// delays sets by at most ``patience``. A lossless output (a file) waits up to two seconds for the frames of the other
/// outputs.
public final class CaptureSynchronizer: Sendable {
    /// Frames taken at the same time.
    public struct FrameSet: Sendable {
        /// One frame for each output, in the order of the outputs; nil for an output without a frame within the
        /// ``CaptureSynchronizer/tolerance``.
        public let frames: [VideoFrame?]
        /// The capture time of the leading frame, on CLOCK_MONOTONIC.
        public let hostTime: HostTime
    }

    /// The outputs; the first one leads.
    public let outputs: [VideoDataOutput]
    /// The maximum time between the leading frame and another frame of the set.
    public let tolerance: Duration
    /// The maximum wait for a late output, measured by the host times of the frames.
    public let patience: Duration

    /// Creates a synchronizer.
    ///
    /// - Parameters:
    ///   - outputs: The outputs; the first one leads.
    ///   - tolerance: The maximum time between the leading frame and another frame of the set; half the frame interval
    ///     of the first output is a good choice.
    ///   - patience: The maximum wait for a late output, measured by the host times of the frames.
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
    /// The loop ends when the first output ends, and throws ``ObscuraError`` when any source fails.
    public var frameSets: FrameSets { FrameSets(synchronizer: self) }

    /// Sets of frames as an asynchronous sequence.
    public struct FrameSets: AsyncSequence, Sendable {
        /// A set with one frame of the first output.
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

            /// Returns the next set; nil if the first output has ended or the task was cancelled.
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
