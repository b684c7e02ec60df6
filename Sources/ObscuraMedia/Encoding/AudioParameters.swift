// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The parameters of a compressed audio stream.
public struct AudioParameters: Sendable, Hashable {
    /// The codec.
    public let codec: AudioCodec
    /// The sample rate, in hertz.
    public let sampleRate: Int
    /// The number of channels.
    public let channelCount: Int
    /// The data that a decoder needs: the `AudioSpecificConfig` of AAC (ISO/IEC 14496-3), the `OpusHead` of Opus (RFC
    /// 7845), the `STREAMINFO` block of FLAC; empty for PCM.
    public let configuration: [UInt8]
    /// The number of sample frames that the encoder adds before the audio, and that players must skip.
    public let priming: Int
    /// FFmpeg's name of the encoder, such as `aac`; empty for a stream that Obscura did not encode.
    public let encoder: String
    /// The number of sample frames of a packet; 0 if unknown or not constant.
    package var frameSize = 0

    package init(
        codec: AudioCodec, sampleRate: Int, channelCount: Int, configuration: [UInt8], priming: Int, encoder: String
    ) {
        self.codec = codec
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.configuration = configuration
        self.priming = priming
        self.encoder = encoder
    }
}
