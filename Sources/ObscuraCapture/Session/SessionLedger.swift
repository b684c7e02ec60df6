// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// Counts of all frames of a session: received, delivered, skipped and dropped.
public struct SessionLedger: Sendable, Hashable {
    /// Counts of the frames received from one device.
    public struct Input: Sendable, Hashable {
        /// The name of the device.
        public let device: String
        /// Whether the device still runs; false once it has stopped, failed or ended.
        public let isRunning: Bool
        /// Number of frames received.
        public let received: UInt64
        /// Number of frames lost in the driver, determined from gaps in the sequence numbers.
        public let gaps: UInt64
        /// Number of received frames that could not be used, such as damaged frames.
        public let lost: UInt64
        /// Number of frames that were copied so that the driver got its buffers back early.
        public let copied: UInt64
        /// Number of compressed frames received from a file or a network address for readers of compressed frames. Not
        /// included in ``received``.
        public let encodedFrames: UInt64
        /// Number of compressed audio packets received from a file or a network address for readers of compressed
        /// audio.
        public let encodedAudioPackets: UInt64
        /// Counts of the audio received; all zero for a device without audio.
        public let audio: Audio
        /// Counts of the buffer pool for converted images.
        public let pool: PixelBufferPool.Counts
    }

    /// Counts of the audio received from one device.
    public struct Audio: Sendable, Hashable {
        /// Number of buffers received.
        public let received: UInt64
        /// Number of sample frames received. A sample frame has one sample for each channel.
        public let sampleFrames: UInt64
        /// The number of overruns in the driver.
        public let overruns: UInt64
        /// Number of sample frames lost in overruns.
        public let lost: UInt64
        /// The measured deviation of the device's clock from CLOCK_MONOTONIC, in parts per million; positive if the
        /// device is fast. Nil if unknown.
        public let clockDrift: Double?
    }

    /// Statistics of one reader, such as a delegate or a loop. Video is counted in frames, audio in buffers.
    public struct Reader: Sendable, Hashable {
        /// The name of the reader: the output's name, the kind of reader, and a number.
        public let name: String
        /// The name of the output.
        public let output: String
        /// The media type of the reader: video or audio.
        public let mediaType: MediaType
        /// Whether the reader is still attached and gets frames.
        public let isAttached: Bool
        /// Counts of delivered, skipped and dropped frames.
        public let frames: ReaderLedger
        /// The number of frames held by the reader.
        public let held: Int
        /// The time for which the reader has held its oldest frame; nil if the reader holds no frames.
        public let heldFor: Duration?
        /// Statistics of the time that frames spent in each stage.
        public let stages: [FrameStage: StageStatistics]
    }

    /// A destination of compressed frames and audio: the movie of a recording, or one destination of a broadcast.
    public struct Destination: Sendable, Hashable {
        /// The path of the movie, or the address of the destination, with secrets masked.
        public let name: String
        /// The name of the output.
        public let output: String
        /// Whether the recording or the broadcast still runs.
        public let isActive: Bool
        /// The delays from the capture until each stage was reached.
        public let delivery: DeliveryStatistics

        package init(name: String, output: String, isActive: Bool, delivery: DeliveryStatistics) {
            self.name = name
            self.output = output
            self.isActive = isActive
            self.delivery = delivery
        }
    }

    /// Counts of the running devices, and of the devices that ended most recently.
    public let inputs: [Input]
    /// Statistics of the attached readers, and of the readers that were detached most recently.
    public let readers: [Reader]
    /// The destinations of the running recordings and broadcasts. For an output that is not recording or broadcasting,
    /// the destinations of its last recording or broadcast.
    public let destinations: [Destination]
}
