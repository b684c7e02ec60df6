// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// The format of the sound that is read: uncompressed samples.
struct SoundForm: Sendable {
    private let sampleType: AudioFormat.SampleType
    private let isInterleaved: Bool
    /// Nil for that of the movie.
    private let sampleRate: Int?
    /// Nil for that of the movie.
    private let channelCount: Int?

    /// Creates the form of settings with the keys of sound: integers of 16 bits without a depth, and the rate and the
    /// channels of the movie without others.
    ///
    /// - Throws: ``ObscuraError/Code/invalidSettings`` for a key or a value that is not supported.
    init(_ settings: [String: Any]) throws(ObscuraError) {
        var settings = SettingsReader(settings, subject: "output settings")
        guard try settings.integer(AVFormatIDKey) == Int(kAudioFormatLinearPCM) else {
            throw settings.invalid("\(AVFormatIDKey) must be kAudioFormatLinearPCM")
        }
        let isFloat = try settings.flag(AVLinearPCMIsFloatKey) ?? false
        sampleType = try Self.sampleType(settings.integer(AVLinearPCMBitDepthKey), isFloat: isFloat, settings)
        guard try settings.flag(AVLinearPCMIsBigEndianKey) != true else {
            throw settings.invalid("\(AVLinearPCMIsBigEndianKey) must be false")
        }
        isInterleaved = try settings.flag(AVLinearPCMIsNonInterleaved) != true
        sampleRate = try Self.number(settings.integer(AVSampleRateKey), AVSampleRateKey, in: 1...768_000, settings)
        channelCount = try Self.number(
            settings.integer(AVNumberOfChannelsKey), AVNumberOfChannelsKey, in: 1...64, settings)
        try settings.checkIsEmpty()
    }

    private static func sampleType(
        _ depth: Int?, isFloat: Bool, _ settings: SettingsReader
    ) throws(ObscuraError) -> AudioFormat.SampleType {
        switch (depth, isFloat) {
        case (nil, false), (16, false): return .int16
        case (32, false): return .int32
        case (nil, true), (32, true): return .float32
        case (let depth?, _):
            throw settings.invalid(
                "\(AVLinearPCMBitDepthKey) must be \(isFloat ? "32" : "16 or 32"), not \(depth)")
        }
    }

    private static func number(
        _ number: Int?, _ key: String, in range: ClosedRange<Int>, _ settings: SettingsReader
    ) throws(ObscuraError) -> Int? {
        guard let number else { return nil }
        guard range.contains(number) else {
            throw settings.invalid("\(key) must be \(range.lowerBound) to \(range.upperBound), not \(number)")
        }
        return number
    }

    /// The format for sound of a format.
    func format(for source: AudioFormat) -> AudioFormat {
        AudioFormat(
            sampleType: sampleType, sampleRate: sampleRate ?? source.sampleRate,
            channelCount: channelCount ?? source.channelCount, isInterleaved: isInterleaved)
    }
}
