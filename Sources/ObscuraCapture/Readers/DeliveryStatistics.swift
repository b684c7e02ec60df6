// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The delays of the compressed frames and audio packets of a movie, or of a destination of a broadcast.
///
/// Each delay is the time from the capture (`hostTime`) until the stage was reached. The capture time of an audio
/// packet is that of the last buffer in the packet. For a movie that is not read in real time, a delay begins when the
/// frame or the audio is read.
public struct DeliveryStatistics: Sendable, Hashable {
    /// The delays of the frames; empty without video.
    public let video: [DeliveryStage: StageStatistics]
    /// The delays of the audio packets; empty without audio.
    public let audio: [DeliveryStage: StageStatistics]

    package init(video: [DeliveryStage: StageStatistics] = [:], audio: [DeliveryStage: StageStatistics] = [:]) {
        self.video = video
        self.audio = audio
    }
}
