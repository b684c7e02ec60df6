// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// Where every frame of a session went.
public struct SessionLedger: Sendable, Hashable {
    /// What came out of one device.
    public struct Input: Sendable, Hashable {
        /// The name of the device.
        public let device: String
        /// Whether the device still runs: not once it was stopped, failed or was at its end.
        public let isRunning: Bool
        /// Frames that came.
        public let received: UInt64
        /// Frames that the driver lost, by the gaps in its numbers.
        public let gaps: UInt64
        /// Frames that came and were not usable.
        public let lost: UInt64
        /// Frames that were copied so that the driver kept enough buffers.
        public let copied: UInt64
        /// The sound that came; all zero for a device that gives none.
        public let audio: Audio
        /// The memory for what readers asked for.
        public let pool: PixelBufferPool.Counts
    }

    /// The sound that came out of one device.
    public struct Audio: Sendable, Hashable {
        /// Buffers that came.
        public let received: UInt64
        /// Sample frames that came.
        public let sampleFrames: UInt64
        /// How often the driver lost sound.
        public let overruns: UInt64
        /// How many sample frames it lost.
        public let lost: UInt64
    }

    /// The account of one reader. What is counted are frames, and buffers of sound.
    public struct Reader: Sendable, Hashable {
        /// Whose account it is: the output's name, what reads there, and a number.
        public let name: String
        /// The name of the output.
        public let output: String
        /// What it reads: pictures or sound.
        public let mediaType: MediaType
        /// Whether it still gets frames.
        public let isAttached: Bool
        /// Where every frame went.
        public let frames: ReaderLedger
        /// How many frames it holds.
        public let held: Int
        /// How long it has held the oldest of them; nil when it holds none.
        public let heldFor: Duration?
        /// What each stage cost its frames.
        public let stages: [FrameStage: StageStatistics]
    }

    /// The devices that run, and the last ones that did.
    public let inputs: [Input]
    /// The readers that are attached, and the last ones that were.
    public let readers: [Reader]
}
