// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Dispatch
internal import Obscura
internal import ObscuraBase
internal import ObscuraMovies

extension MediaFolder {
    private static let longestSide = 16384
    /// A movie that shows nothing in so long a time is damaged.
    private static let longestWait = DispatchTimeInterval.seconds(15)

    /// A photo as a JPEG: upright, with its edits, without its metadata. Or the first picture of a movie.
    ///
    /// - Parameters:
    ///   - size: what it is fitted in, at most; it is never enlarged. Nil for all of it.
    ///   - original: whether the edits are left out.
    /// - Throws: ``ObscuraError/Code/failed`` for a file that is damaged, ``ObscuraError/Code/tooMuch`` for one that is
    ///   too large, ``ObscuraError/Code/invalidRequest`` for a size that is none.
    nonisolated(nonsending) func picture(
        of text: String, fitting size: PixelSize? = nil, original: Bool = false
    ) async throws -> [UInt8] {
        if let size {
            guard size.width > 0, size.height > 0 else {
                throw ObscuraError(
                    .studio, .invalidRequest, subject: "picture of \(size)", reason: "it would have no pixels",
                    advice: "Ask for 1 to \(Self.longestSide) pixels each way.")
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
            // The file is opened anew. If it was replaced meanwhile, the new one is shown under a key that nobody will
            // ask for again.
            let source = try await run(about: text) { [self] in try openPicture(key) }
            return try await MemoryBudget.pictures.withBytes(source.cost.byteCount) {
                try await run(about: text, isPainting: true) { [self] in try paint(key, source) }
            }
        }
    }

    /// An open file, and the memory that its picture takes.
    struct PictureSource: Sendable {
        let file: MediaFile
        /// Nil for a movie.
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
    /// - Throws: ``ObscuraError/Code/tooMuch`` for a picture that is too large.
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

    /// The photo in a file. Blocks.
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
            guard let frame else { throw ObscuraError.unreadable(file.name, "it has no whole picture") }
            return try ImageTransformer.transform(frame.buffer, ImageRequest().upright(frame.attachments))
        }
    }
}
