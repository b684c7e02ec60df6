// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

extension AudioSettings {
    /// Creates settings from a dictionary with the keys of sound.
    ///
    /// - Throws: ``ObscuraError/Code/invalidSettings`` for a value of another type, and for a key or a value that is
    ///   not supported.
    ///
    /// - Parameter hint: the format of the sound, for settings without a rate or a number of channels.
    init(outputSettings: [String: Any], hint: AudioFormat?) throws(ObscuraError) {
        var settings = SettingsReader(outputSettings, subject: "audio settings")
        self.init(codec: try Self.codec(&settings))
        sampleRate = try settings.integer(AVSampleRateKey) ?? hint?.sampleRate ?? sampleRate
        channelCount = try settings.integer(AVNumberOfChannelsKey) ?? hint?.channelCount ?? channelCount
        bitRate = try settings.integer(AVEncoderBitRateKey)
        if let rate = try settings.integer(AVEncoderBitRatePerChannelKey) {
            let (product, overflow) = rate.multipliedReportingOverflow(by: channelCount)
            bitRate = bitRate ?? (overflow ? .max : product)
        }
        if codec == .pcm { try Self.checkSamples(&settings) }
        try settings.checkIsEmpty()
    }

    private static func codec(_ settings: inout SettingsReader) throws(ObscuraError) -> AudioCodec {
        let advice = "Use kAudioFormatMPEG4AAC, kAudioFormatLinearPCM, kAudioFormatFLAC or kAudioFormatOpus."
        guard let code = try settings.integer(AVFormatIDKey) else {
            throw settings.invalid("\(AVFormatIDKey) is missing", advice)
        }
        switch AudioFormatID(exactly: code) {
        case kAudioFormatMPEG4AAC: return .aac
        case kAudioFormatLinearPCM: return .pcm
        case kAudioFormatFLAC: return .flac
        case kAudioFormatOpus: return .opus
        default: throw settings.invalid("the format \(name(code)) is not supported", advice)
        }
    }

    /// Throws unless uncompressed samples have the only layout that the engine writes.
    private static func checkSamples(_ settings: inout SettingsReader) throws(ObscuraError) {
        let depth = try settings.integer(AVLinearPCMBitDepthKey) ?? 16
        guard depth == 16 else { throw settings.invalid("\(AVLinearPCMBitDepthKey) must be 16, not \(depth)") }
        for key in [AVLinearPCMIsFloatKey, AVLinearPCMIsBigEndianKey, AVLinearPCMIsNonInterleaved] {
            guard try settings.flag(key) != true else { throw settings.invalid("\(key) must be false") }
        }
    }

    /// The four characters of a code; the number if they are not printable.
    private static func name(_ code: Int) -> String {
        let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> $0) }
        guard bytes.allSatisfy({ (0x20...0x7e).contains($0) }) else { return "\(code)" }
        return String(decoding: bytes, as: UTF8.self)
    }
}
