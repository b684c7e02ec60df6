// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraMovies

/// A reader of the frames of a track, as they are stored: not rotated.
final class PictureTrackReader: TrackReader {
    /// Buffers that are used again. A program that holds more gets new ones.
    private static let pooledBuffers = 16

    private let reader: MovieReader
    private let range: ReadingRange
    private let form: PictureForm
    private let pool = PixelBufferPool(capacity: pooledBuffers)
    private var format: CMFormatDescription?

    init(
        _ track: AVAssetTrack, _ range: ReadingRange, _ form: PictureForm, control: ReadControl
    ) throws(ObscuraError) {
        reader = try MovieReader(
            track.source.location, options: range.options(stream: track.index), control: control)
        self.range = range
        self.form = form
    }

    func next() throws -> CMSampleBuffer? {
        guard let frame = try reader.nextFrame(), range.isBeforeEnd(frame.presentationTime) else { return nil }
        let pixels = try transform(frame.buffer)
        let format = CMFormatDescription.of(pixels, last: format)
        self.format = format
        return CMSampleBuffer(frame, pixels: pixels, format)
    }

    private func transform(_ picture: PixelBuffer) throws -> PixelBuffer {
        let request = form.request(for: picture)
        do {
            return try ImageTransformer.transform(picture, request, in: pool)
        } catch let error as ObscuraError where error.code == .poolExhausted {
            return try ImageTransformer.transform(picture, request)
        }
    }
}
