// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A compressed packet of audio, with timestamps. Decoding can start at each packet.
public struct EncodedAudio: Sendable, Hashable {
    /// The codec.
    public let codec: AudioCodec
    /// The compressed bytes.
    public let data: [UInt8]
    /// The presentation time of the first sample, on the timeline of the source. Because of
    /// ``AudioParameters/priming``, the first packets can begin before the audio.
    public var presentationTime: MediaTime
    /// The duration of the audio.
    public var duration: MediaTime
    /// The time on CLOCK_MONOTONIC: the time of capture for a live source, the time of playback for a file. A packet
    /// that Obscura encoded has the time of the buffer that completed the packet.
    public var hostTime: HostTime
    /// The parameters of the stream; nil if the source of the packet does not report them.
    public var parameters: AudioParameters?
    /// The number of the packet in its source, from 0.
    public var sequence: UInt64 = 0
    /// Whether the timeline is interrupted before this packet, or packets before this packet are missing.
    public var isDiscontinuity = false

    /// Creates a packet.
    public init(
        codec: AudioCodec, data: [UInt8], presentationTime: MediaTime, duration: MediaTime, hostTime: HostTime
    ) {
        self.codec = codec
        self.data = data
        self.presentationTime = presentationTime
        self.duration = duration
        self.hostTime = hostTime
    }
}
