// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The delays of the compressed frames and audio packets of a movie, or of a destination of a broadcast.
///
/// Each delay is the time from the capture (`hostTime`; of an audio packet, that of the last buffer in it) until the stage
/// was reached. The delays of a film that is not read in real time count from the moment at which it was read.
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
