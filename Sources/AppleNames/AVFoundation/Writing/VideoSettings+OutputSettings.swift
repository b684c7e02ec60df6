// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

extension VideoSettings {
    /// The longest time between two key frames that the engine supports, in seconds.
    private static let longestInterval = 600.0

    /// Creates settings from a dictionary with the keys of compressed video.
    ///
    /// - Throws: ``ObscuraError/Code/invalidSettings`` for a value of another type, and for a key or a value that is
    ///   not supported.
    ///
    /// - Parameter hint: the size of the frames, for settings without a size.
    init(outputSettings: [String: Any], hint: CMVideoDimensions?) throws(ObscuraError) {
        var settings = SettingsReader(outputSettings, subject: "video settings")
        self.init(codec: try Self.codec(&settings))
        let source = hint.map { PixelSize(width: Int($0.width), height: Int($0.height)) }
        size = try Self.size(&settings) ?? source.flatMap { $0.width > 0 && $0.height > 0 ? $0 : nil }
        // Frames are stretched by default, as Video Toolbox does.
        fit = try Self.fit(&settings) ?? .stretch
        if var properties = try settings.dictionary(AVVideoCompressionPropertiesKey) { try apply(&properties) }
        try settings.checkIsEmpty()
    }

    private static func codec(_ settings: inout SettingsReader) throws(ObscuraError) -> VideoCodec {
        let advice = "Use AVVideoCodecType.h264, .hevc or .jpeg."
        guard let name = try settings.text(AVVideoCodecKey) else {
            throw settings.invalid("\(AVVideoCodecKey) is missing", advice)
        }
        guard let codec = AVVideoCodecType(rawValue: name).codec else {
            throw settings.invalid("the codec \(name) is not supported", advice)
        }
        return codec
    }

    private static func size(_ settings: inout SettingsReader) throws(ObscuraError) -> PixelSize? {
        switch (try settings.integer(AVVideoWidthKey), try settings.integer(AVVideoHeightKey)) {
        case (nil, nil): return nil
        case (let width?, let height?): return PixelSize(width: width, height: height)
        case (nil, _): throw settings.invalid("\(AVVideoHeightKey) is set, but \(AVVideoWidthKey) is not")
        case (_, nil): throw settings.invalid("\(AVVideoWidthKey) is set, but \(AVVideoHeightKey) is not")
        }
    }

    private static func fit(_ settings: inout SettingsReader) throws(ObscuraError) -> ImageRequest.Fit? {
        switch try settings.text(AVVideoScalingModeKey) {
        case nil: return nil
        case AVVideoScalingModeResize: return .stretch
        case AVVideoScalingModeResizeAspect: return .aspect
        case AVVideoScalingModeResizeAspectFill: return .fill
        case let mode?: throw settings.invalid("the scaling mode \(mode) is not supported")
        }
    }

    private mutating func apply(_ properties: inout SettingsReader) throws(ObscuraError) {
        bitRate = try properties.integer(AVVideoAverageBitRateKey)
        quality = try properties.number(AVVideoQualityKey)
        if let rate = try properties.number(AVVideoExpectedSourceFrameRateKey) {
            guard (0.01...1000).contains(rate) else {
                throw properties.invalid("\(AVVideoExpectedSourceFrameRateKey) must be 0.01 to 1000, not \(rate)")
            }
            frameRate = FrameRate(framesPerSecond: rate)
        }
        if let seconds = try Self.keyFrameInterval(&properties, frameRate) { keyFrameInterval = .seconds(seconds) }
        profile = try Self.profile(&properties)
        try properties.checkIsEmpty()
    }

    /// Returns the time between two key frames in seconds: the shorter one of the two limits.
    private static func keyFrameInterval(
        _ properties: inout SettingsReader, _ rate: FrameRate?
    ) throws(ObscuraError) -> Double? {
        var limits: [Double] = []
        if let frames = try properties.integer(AVVideoMaxKeyFrameIntervalKey) {
            guard frames >= 1 else {
                throw properties.invalid("\(AVVideoMaxKeyFrameIntervalKey) must be at least 1, not \(frames)")
            }
            // Less than that of the next frame, so that the frame is not late by a rounding error.
            limits.append((Double(frames) - 0.5) / (rate ?? FrameRate(30)).framesPerSecond)
        }
        if let seconds = try properties.number(AVVideoMaxKeyFrameIntervalDurationKey) {
            guard seconds >= 0 else {
                throw properties.invalid(
                    "\(AVVideoMaxKeyFrameIntervalDurationKey) must not be negative, but is \(seconds)")
            }
            limits.append(seconds == 0 ? longestInterval : seconds)
        }
        return limits.min().map { min($0, longestInterval) }
    }

    private static func profile(_ properties: inout SettingsReader) throws(ObscuraError) -> Profile? {
        switch try properties.text(AVVideoProfileLevelKey) {
        case nil: return nil
        case AVVideoProfileLevelH264BaselineAutoLevel: return .baseline
        case AVVideoProfileLevelH264MainAutoLevel: return .main
        case AVVideoProfileLevelH264HighAutoLevel: return .high
        case let name?: throw properties.invalid("the profile \(name) is not supported")
        }
    }
}

extension FrameRate {
    /// Creates the exact rate of a number such as 29.97 where it is a usual one; other rates are rounded to
    /// thousandths.
    fileprivate init(framesPerSecond rate: Double) {
        let thousandths = Int32((rate * 1000).rounded())
        let ntsc = (rate * 1.001).rounded()
        if thousandths % 1000 != 0, ntsc >= 1, abs(ntsc / 1.001 - rate) < 0.005 {
            self.init(Int32(ntsc) * 1000, per: 1001)
        } else {
            self.init(thousandths, per: 1000)
        }
    }
}
