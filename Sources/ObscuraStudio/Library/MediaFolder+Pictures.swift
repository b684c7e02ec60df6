// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Dispatch
internal import Obscura
internal import ObscuraBase
internal import ObscuraMovies

extension MediaFolder {
    private static let longestSide = 16384
    /// Time limit for decoding the first frame of a movie; a movie that exceeds it counts as damaged.
    private static let longestWait = DispatchTimeInterval.seconds(15)

    /// Returns a photo as a JPEG, upright, with its edits and without its metadata; or the first frame of a movie.
    ///
    /// - Parameters:
    ///   - size: the size to fit the picture in, which is never enlarged; nil for its full size.
    ///   - original: whether to omit the edits.
    /// - Throws: ``ObscuraError/Code/failed`` for a damaged file, ``ObscuraError/Code/tooMuch`` for one that is too
    ///   large, ``ObscuraError/Code/invalidRequest`` for an invalid size.
    nonisolated(nonsending) func picture(
        of text: String, fitting size: PixelSize? = nil, original: Bool = false
    ) async throws -> [UInt8] {
        if let size {
            guard size.width > 0, size.height > 0 else {
                throw ObscuraError(
                    .studio, .invalidRequest, subject: "picture of \(size)", reason: "it has no pixels",
                    advice: "Request 1 to \(Self.longestSide) pixels on each side.")
            }
        }
        let key = try await run(about: text) { [self] in
            let name = try item(text)
            guard let status = directory.status(of: name.text) else { throw ObscuraError.noSuchItem(text) }
            return PictureCache.Key(
                name: name.text, status: status, recipe: original ? nil : storedRecipe(of: name),
                width: size.map { min($0.width, Self.longestSide) },
                height: size.map { min($0.height, Self.longestSide) })
        }
        return try await pictures.picture(key) {
            // The file is opened by name again. If it was replaced meanwhile, the new picture is cached under the old
            // key, which no later request uses.
            let source = try await run(about: text) { [self] in try openPicture(key) }
            return try await MemoryBudget.pictures.withBytes(source.cost.byteCount) {
                try await run(about: text, isPainting: true) { [self] in try paint(key, source) }
            }
        }
    }

    /// An open file, and the memory that decoding it takes.
    struct PictureSource: Sendable {
        let file: MediaFile
        /// Properties of the photo; nil for a movie.
        let photo: StillInfo?
        let cost: PictureCost
    }

    /// Blocks.
    private func openPicture(_ key: PictureCache.Key) throws(ObscuraError) -> PictureSource {
        var box: PixelSize?
        if let width = key.width, let height = key.height { box = PixelSize(width: width, height: height) }
        return try openPicture(try item(key.name), recipe: key.recipe, fitting: box)
    }

    /// Blocks.
    ///
    /// - Throws: ``ObscuraError/Code/tooMuch`` if the picture is too large.
    func openPicture(
        _ name: MediaName, recipe: StillRecipe?, fitting box: PixelSize? = nil
    ) throws(ObscuraError) -> PictureSource {
        let file = try directory.open(name.text)
        let source =
            switch try MediaReading(file, as: name.type.kind) {
            case .still(let info):
                PictureSource(
                    file: file, photo: info,
                    cost: PictureCost(of: info, fileSize: file.size, recipe: recipe, fitting: box))
            case .movie(let contents):
                PictureSource(
                    file: file, photo: nil,
                    cost: PictureCost(
                        of: contents.pictures?.size ?? PixelSize(width: 0, height: 0), fileSize: file.size))
            }
        try source.cost.check(name.text)
        return source
    }

    /// Blocks.
    private func paint(_ key: PictureCache.Key, _ source: PictureSource) throws -> [UInt8] {
        var picture = try source.photo == nil ? Self.firstPicture(of: source.file) : still(of: source).picture
        if let recipe = key.recipe { picture = try recipe.apply(to: picture) }
        if let width = key.width, let height = key.height, picture.width > width || picture.height > height {
            var request = ImageRequest(size: PixelSize(width: width, height: height))
            request.fit = .aspect
            picture = try ImageTransformer.transform(picture, request)
        }
        return try JPEGEncoder(quality: 88).encode(picture)
    }

    /// Decodes the photo in a file. Blocks.
    func still(of source: PictureSource) throws -> Still {
        let bytes = try source.file.whole(upTo: MediaReading.mostOfPhoto)
        do {
            return try Still(bytes, source.photo, fitting: source.cost.decodingBox)
        } catch let error as ObscuraError where error.code == .damaged {
            throw ObscuraError.unreadable(source.file.name, error.reason)
        }
    }

    private static func firstPicture(of file: MediaFile) throws -> PixelBuffer {
        let control = ReadControl()
        DispatchQueue.global().asyncAfter(deadline: .now() + longestWait) { [weak control] in control?.cancel() }
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
