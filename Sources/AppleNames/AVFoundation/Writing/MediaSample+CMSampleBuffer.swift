// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

extension MediaSample {
    /// Creates the sample of a buffer.
    ///
    /// - Throws: ``ObscuraError/Code/invalidState`` for a buffer of another kind of media, without media or without a
    ///   numeric time.
    init(_ buffer: CMSampleBuffer, for mediaType: AVMediaType, subject: String) throws(ObscuraError) {
        switch (buffer.content, mediaType) {
        case (.image(let pixels), .video):
            let duration = buffer.duration.mediaTime.flatMap { $0 > .zero ? $0 : nil }
            try self.init(pixels, at: buffer.presentationTimeStamp, duration: duration, subject: subject)
        case (.sound(let unchanged), .audio):
            var sound = buffer.sound ?? unchanged
            sound.presentationTime = try Self.time(buffer.presentationTimeStamp, subject)
            self = .audio(sound)
        case (.nothing, _): throw .refused("a dropped frame, which has no media, was appended", subject)
        case (.file, _): throw .refused("the file of a photo was appended to a movie", subject)
        case (.image, _): throw .refused("a video frame was appended to an audio input", subject)
        case (.sound, _): throw .refused("an audio buffer was appended to a video input", subject)
        }
    }

    /// Creates the sample of a picture.
    init(
        _ pixels: CVPixelBuffer, at time: CMTime, duration: MediaTime? = nil, subject: String
    ) throws(ObscuraError) {
        let time = try Self.time(time, subject)
        // Not a time of capture, which a movie of an AssetWriter does not need.
        let hostTime = HostTime(nanoseconds: time.nanoseconds)
        self = .video(
            VideoFrame(buffer: pixels.picture, presentationTime: time, hostTime: hostTime, duration: duration))
    }

    private static func time(_ time: CMTime, _ subject: String) throws(ObscuraError) -> MediaTime {
        guard let time = time.mediaTime else { throw .refused("the time of a sample is not a number", subject) }
        return time
    }
}

extension ObscuraError {
    fileprivate static func refused(_ reason: String, _ subject: String) -> ObscuraError {
        ObscuraError(.recording, .invalidState, subject: subject, reason: reason)
    }
}
