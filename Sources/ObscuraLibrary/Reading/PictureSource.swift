// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Dispatch
internal import ObscuraBase
package import ObscuraImaging
package import ObscuraMedia
internal import ObscuraMovies

/// An open photo or movie whose picture is to be rendered, and the memory that this takes.
package struct PictureSource: Sendable {
    /// Time limit for decoding the first frame of a movie; a movie that exceeds it counts as damaged.
    private static let longestWait = DispatchTimeInterval.seconds(15)

    package let file: MediaFile
    package let cost: PictureCost
    /// Properties of the photo; nil for a movie.
    private let photo: StillInfo?
    private let recipe: StillRecipe?
    private let box: PixelSize?

    /// Reads the header of a file. Blocks.
    ///
    /// - Parameters:
    ///   - kind: the expected kind.
    ///   - recipe: the edits of a photo; nil for none.
    ///   - box: the size to fit the picture in, which is never enlarged; nil for its full size.
    /// - Throws: ``ObscuraError/Code/unreadable``; ``ObscuraError/Code/tooLarge`` if the picture takes too much memory.
    package init(
        _ file: MediaFile, as kind: LibraryItem.Kind, recipe: StillRecipe?, fitting box: PixelSize? = nil
    ) throws(ObscuraError) {
        self.file = file
        (self.recipe, self.box) = (recipe, box)
        switch try MediaReading(file, as: kind) {
        case .still(let info):
            photo = info
            cost = PictureCost(of: info, fileSize: file.size, recipe: recipe, fitting: box)
        case .movie(let contents):
            photo = nil
            cost = PictureCost(of: contents.pictures?.size ?? PixelSize(width: 0, height: 0), fileSize: file.size)
        }
        try cost.check(file.name)
    }

    /// Decodes the photo, with its edits and its metadata. Blocks.
    package func editedStill() throws -> Still {
        var still = try still()
        if let recipe { still.picture = try recipe.apply(to: still.picture) }
        return still
    }

    /// Renders the photo upright and with its edits, or the first frame of the movie. Blocks, and uses
    /// ``PictureCost/byteCount`` of memory.
    package func render() throws -> PixelBuffer {
        try (photo == nil ? firstPicture() : editedStill().picture).reduced(toFit: box)
    }

    private func still() throws -> Still {
        let bytes = try file.whole(upTo: MediaReading.mostOfPhoto)
        do {
            return try Still(bytes, photo, fitting: cost.decodingBox)
        } catch let error as ObscuraError where error.code == .damaged {
            throw ObscuraError.unreadable(file.name, error.reason)
        }
    }

    private func firstPicture() throws -> PixelBuffer {
        let control = ReadControl()
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.longestWait) { [weak control] in control?.cancel() }
        var options = MediaReading.movieOptions
        options.decoderThreads = 1
        return try withExtendedLifetime(file) {
            let frame: VideoFrame?
            do throws(ObscuraError) {
                frame = try MovieReader(file.path, options: options, control: control).nextFrame()
            } catch {
                throw ObscuraError.unreadable(file.name, error.reason)
            }
            guard let frame else { throw ObscuraError.unreadable(file.name, "it has no complete frame") }
            return try ImageTransformer.transform(frame.buffer, ImageRequest().upright(frame.attachments))
        }
    }
}
