// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraFFmpeg
internal import ObscuraMedia

/// The form in which the packets of an open container are passed on compressed: H.264 and HEVC as byte streams, AAC without
/// headers.
final class EncodedForm {
    /// The codec of the video; nil without video, and if it cannot be passed on.
    let video: VideoCodec?
    /// The parameters of the audio; nil without audio, and if it cannot be passed on.
    let audio: AudioParameters?
    /// The parameter sets that the container has beside the frames; the configuration of FFV1.
    let parameterSets: [UInt8]
    /// The number of bytes of the length before each unit; nil in a byte stream.
    private let lengthSize: Int?
    /// Removes the headers (ADTS) of AAC in a transport stream; nil if there are none.
    private let headers: BitstreamFilter?

    init(pictures: InputStream?, sound: InputStream?) {
        let parameters = pictures.flatMap { CodecParameters(of: $0) }
        let codec = parameters?.videoCodec
        let extraData = parameters?.extraData ?? []
        (lengthSize, parameterSets) = Self.layout(codec, extraData, pictures)
        // FFV1 cannot be decoded without its configuration.
        video = codec == .ffv1 && extraData.isEmpty ? nil : codec
        var audio = sound.flatMap { CodecParameters(of: $0) }?.audioParameters
        var headers: BitstreamFilter?
        if let found = audio, found.codec == .aac, found.configuration.isEmpty, let sound {
            headers = BitstreamFilter("aac_adtstoasc", for: sound)
            audio = headers == nil ? nil : sound.isLowComplexityAAC ? found.withConfiguration : nil
        }
        self.audio = audio
        self.headers = headers
    }

    /// Returns the bytes of a frame; nil for a damaged one.
    func frame(_ packet: Packet) -> [UInt8]? {
        guard let lengthSize else { return packet.bytes }
        return AnnexB.byteStream(lengthPrefixed: packet.bytes, lengthSize: lengthSize)
    }

    /// Returns the bytes of a packet of audio; nil for a damaged one.
    func audioPacket(_ packet: Packet) -> [UInt8]? {
        guard let headers else { return packet.bytes }
        return headers.filter(packet)?.bytes
    }

    /// The size of the lengths, and the parameter sets as a byte stream.
    private static func layout(
        _ codec: VideoCodec?, _ extraData: [UInt8], _ stream: InputStream?
    ) -> (lengthSize: Int?, sets: [UInt8]) {
        guard codec == .h264 || codec == .hevc else { return (nil, codec == .ffv1 ? extraData : []) }
        // ISO/IEC 14496-15, sections 5.3.3.1 and 8.3.3.1: the position of the field in the record.
        let field = codec == .h264 ? 4 : 21
        guard let stream, extraData.first == 1, extraData.count > field else { return (nil, extraData) }
        let filter = BitstreamFilter("\(stream.codecName)_mp4toannexb", for: stream)
        return (Int(extraData[field] & 3) + 1, filter?.extraData ?? [])
    }
}

extension AudioParameters {
    /// The parameters of AAC-LC with their `AudioSpecificConfig` (ISO/IEC 14496-3, section 1.6.2.1); nil for a format that
    /// it does not name.
    fileprivate var withConfiguration: AudioParameters? {
        // Section 1.6.3.4.
        let rates = [
            96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
        ]
        guard let rate = rates.firstIndex(of: sampleRate), (1...6).contains(channelCount) else { return nil }
        let bits = 2 << 11 | rate << 7 | channelCount << 3
        var parameters = AudioParameters(
            codec: codec, sampleRate: sampleRate, channelCount: channelCount,
            configuration: [UInt8(bits >> 8), UInt8(bits & 0xff)], priming: priming, encoder: "")
        parameters.frameSize = frameSize
        return parameters
    }
}
