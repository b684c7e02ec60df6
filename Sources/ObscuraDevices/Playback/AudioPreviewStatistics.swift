// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The statistics of an ``AudioPreviewOutput`` since its creation.
public struct AudioPreviewStatistics: Sendable, Hashable {
    /// The number of sample frames that were passed to the device.
    public internal(set) var playedFrames: UInt64 = 0
    /// The number of sample frames that were dropped because they were late, the device failed, or the session stopped.
    public internal(set) var droppedFrames: UInt64 = 0
    /// The number of times that the device ran out of audio.
    public internal(set) var underruns = 0
    /// The current delay of playback: the duration of the audio that is queued in the output and in the device.
    public internal(set) var latency = Duration.zero
}
