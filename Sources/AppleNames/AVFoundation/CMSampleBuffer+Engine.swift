// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

extension CMSampleBuffer {
    /// Creates the sample buffer of a frame.
    convenience init(_ frame: VideoFrame, pixels: PixelBuffer, _ format: CMFormatDescription) {
        let timing = CMSampleTimingInfo(
            duration: frame.duration.map(CMTime.init) ?? .invalid,
            presentationTimeStamp: CMTime(frame.presentationTime), decodeTimeStamp: .invalid)
        self.init(.image(CVBuffer(pixels)), formatDescription: format, timing: timing)
    }

    /// Creates the sample buffer of sound.
    convenience init(_ sound: AudioBuffer, _ format: CMFormatDescription) {
        let timing = CMSampleTimingInfo(
            duration: CMTime(sound.duration), presentationTimeStamp: CMTime(sound.presentationTime),
            decodeTimeStamp: .invalid)
        self.init(.sound(sound), formatDescription: format, timing: timing)
    }
}

extension CMFormatDescription {
    /// Returns the format of a picture: `last` if it is that of the picture, so that consecutive frames have the same
    /// object.
    static func of(_ picture: PixelBuffer, last: CMFormatDescription?) -> CMFormatDescription {
        let type = picture.pixelFormatType
        if let last, last.mediaSubType.rawValue == type, Int(last.dimensions.width) == picture.width,
            Int(last.dimensions.height) == picture.height
        {
            return last
        }
        return CMFormatDescription(video: type, size: picture.size)
    }

    /// Returns the format of sound; `last` if it is that of the sound.
    static func of(_ sound: AudioBuffer, last: CMFormatDescription?) -> CMFormatDescription {
        if let last, last.audioFormat == sound.format { return last }
        return CMFormatDescription(audio: sound.format)
    }
}
