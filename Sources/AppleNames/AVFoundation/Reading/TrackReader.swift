// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// A reader of the samples of one track, in a range of times. Used by one thread at a time.
protocol TrackReader: AnyObject {
    /// Returns the next samples; nil at the end of the range. Blocks while they are decoded.
    func next() throws -> CMSampleBuffer?
}

/// The form in which the samples of a track are read.
enum TrackForm: Sendable {
    case video(PictureForm)
    case sound(SoundForm)

    /// - Throws: ``ObscuraError/Code/invalidSettings`` for settings that are not supported.
    init(_ settings: [String: Any]?, for mediaType: AVMediaType) throws(ObscuraError) {
        guard let settings else {
            throw .invalidSettings(
                .movies, "output settings", "nil requests compressed samples, which are not supported",
                "Pass settings of uncompressed samples, such as kCVPixelBufferPixelFormatTypeKey.")
        }
        self = mediaType == .video ? .video(try PictureForm(settings)) : .sound(try SoundForm(settings))
    }
}
