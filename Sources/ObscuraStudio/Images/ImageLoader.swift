// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Foundation
public import Obscura
internal import ObscuraBase
internal import ObscuraLibrary

/// A loader of photos from files, a photo library, the web and a camera: upright, fitted to a size, with bounded
/// memory.
///
/// ```swift
/// let loader = ImageLoader()
/// let picture = try await loader.image(.file("photo.jpg"), fitting: PixelSize(width: 400, height: 400))
/// ```
///
/// Large JPEG photos are decoded at a reduced size. All loaders of a process share one memory budget for decoding, and
/// wait while it is used up. Images of files are cached until the file changes; images from the web are cached until
/// the loader is deinitialized. If the same image is requested several times at once, it is loaded once. Cancelling a
/// task also stops the loading, unless another request needs the image.
public final class ImageLoader: Sendable {
    /// The settings of a loader.
    public struct Options: Sendable, Hashable {
        /// The maximum size of the cache, in bytes of pixels.
        public var cacheSize = 64 << 20
        /// The networks from which images are downloaded.
        public var networkAccess = RemoteAccess.publicOnly
        /// The maximum size of a file from the web, in bytes.
        public var maximumDownloadSize: Int64 = 256 << 20

        /// Creates the default settings.
        public init() {}
    }

    private struct Key: Hashable, Sendable {
        let source: ImageSource
        /// The state of the file, so that a changed one is loaded again.
        let stamp: String
        let size: PixelSize?
    }

    private let options: Options
    private let cache: Lock<BoundedCache<Key, PixelBuffer>>
    private let queue = ImageQueue<Key, PixelBuffer>(limit: max(2, WorkerPool.coreCount))
    private let files = WorkerPool(name: "images", threads: max(2, WorkerPool.coreCount), niceness: 5)

    /// Creates a loader. Starts no threads yet.
    public init(options: Options = Options()) {
        self.options = options
        cache = Lock(BoundedCache(limit: options.cacheSize))
    }

    /// Loads an image, upright. Photos of a library are loaded with their edits.
    ///
    /// - Parameters:
    ///   - source: the source of the image.
    ///   - size: the size to fit the image in; nil for its full size. The image is never enlarged.
    ///   - priority: the priority among the requests that wait.
    ///   - progress: called with the downloaded fraction, 0 to 1, on any thread; only for web addresses, and only if
    ///     the server sends the size.
    /// - Throws: ``ObscuraError``: `notFound` if the file is missing, `unreadable` if the file is not a JPEG or PNG,
    ///   `tooLarge` if the image does not fit in memory, `cancelled`; for web addresses `invalidLocation`,
    ///   `notAllowed`, `connectionFailed`, `timedOut`, `noSuchItem`, `tooMuch`; for cameras the errors of
    ///   `PhotoOutput`.
    nonisolated(nonsending) public func image(
        _ source: ImageSource, fitting size: PixelSize? = nil, priority: ImagePriority = .visible,
        progress: (@Sendable (Double) -> Void)? = nil
    ) async throws(ObscuraError) -> PixelBuffer {
        if let size, size.width < 1 || size.height < 1 {
            throw ObscuraError(
                .studio, .invalidRequest, subject: "image of \(size)", reason: "each side must be at least 1 pixel")
        }
        if case .camera(let output) = source.place { return try await photo(output, fitting: size) }
        let key = Key(source: source, stamp: try await stamp(of: source), size: size)
        if let known = cache.withLock({ $0.value(for: key) }) { return known }
        return try await queue.value(for: key, subject: source.subject, priority: priority, progress: progress) {
            [self] progress throws(ObscuraError) in
            let image = try await load(source, size, progress)
            cache.withLock { $0.insert(image, cost: image.packedByteCount, for: key) }
            return image
        }
    }

    /// Changes the priority of the waiting requests for this source, for example if the image becomes visible.
    public func setPriority(_ priority: ImagePriority, for source: ImageSource) {
        queue.setPriority(priority) { $0.source == source }
    }

    /// Removes all images from the cache.
    public func removeAll() {
        cache.withLock { $0 = BoundedCache(limit: options.cacheSize) }
    }

    // MARK: Sources

    private func stamp(of source: ImageSource) async throws(ObscuraError) -> String {
        switch source.place {
        case .file(let path):
            return try await files.run { () throws(ObscuraError) in try MediaFile(opening: path).status.stamp }
        case .item(let path, let library): return try await library.stamp(of: path)
        case .address, .camera: return ""
        }
    }

    private func load(
        _ source: ImageSource, _ size: PixelSize?, _ progress: @escaping @Sendable (Double) -> Void
    ) async throws(ObscuraError) -> PixelBuffer {
        switch source.place {
        case .file(let path):
            return try await decode(size) { () throws(ObscuraError) in try MediaFile(opening: path) }
        case .item(let path, let library): return try await library.picture(of: path, fitting: size)
        case .address(let address):
            let file = try await download(address, progress)
            return try await decode(size) { () throws(ObscuraError) in file }
        case .camera(let output): return try await photo(output, fitting: size)
        }
    }

    private func decode(
        _ size: PixelSize?, _ open: @escaping @Sendable () throws(ObscuraError) -> MediaFile
    ) async throws(ObscuraError) -> PixelBuffer {
        let source = try await files.run { () throws(ObscuraError) in
            try PictureSource(open(), as: .photo, recipe: nil, fitting: size)
        }
        guard !Task.isCancelled else { throw .cancelled(.studio, source.file.name) }
        let result: Result<PixelBuffer, ObscuraError> = await MemoryBudget.pictures.withBytes(source.cost.byteCount) {
            await files.run {
                Result { try source.render() }.mapError {
                    ObscuraError(wrapping: $0, as: .studio, .unreadable, subject: source.file.name)
                }
            }
        }
        return try result.get()
    }

    /// Downloads to a temporary file without a name, so that a large file takes no memory.
    private func download(
        _ text: String, _ progress: @escaping @Sendable (Double) -> Void
    ) async throws(ObscuraError) -> MediaFile {
        let name = try RemoteAddress(text).name
        do {
            let draft = try await files.run { () throws(ObscuraError) in
                try ObscuraError.writing(name, domain: .studio) { () throws(SystemError) in
                    try DraftFile(
                        in: OpenFolder(path: FileManager.default.temporaryDirectory.path), isNameless: true)
                }
            }
            try await RemoteMedia(access: options.networkAccess).download(
                text, upTo: options.maximumDownloadSize, progress: progress
            ) { [files] bytes in
                try await files.run { () throws(ObscuraError) in
                    try ObscuraError.writing(name, domain: .studio) { () throws(SystemError) in
                        try draft.file.write(bytes)
                    }
                }
            }
            return try await files.run { () throws(ObscuraError) in
                try ObscuraError.writing(name, domain: .studio) { () throws(SystemError) in
                    MediaFile(try draft.open(as: name))
                }
            }
        } catch {
            throw ObscuraError(wrapping: error, as: .studio, .connectionFailed, subject: name)
        }
    }

    /// Takes a photo.
    private func photo(_ output: PhotoOutput, fitting size: PixelSize?) async throws(ObscuraError) -> PixelBuffer {
        let photo = try await output.capture()
        let result: Result<PixelBuffer, ObscuraError> = await files.run {
            Result { try Still(photo.data, fitting: size).picture.reduced(toFit: size) }
                .mapError { ObscuraError(wrapping: $0, as: .studio, .failed, subject: "photo") }
        }
        return try result.get()
    }
}

extension ImageSource {
    /// The name in messages.
    var subject: String {
        switch place {
        case .file(let path), .item(let path, _): path
        case .address(let address): AddressMask.masked(address: address)
        case .camera: "camera"
        }
    }
}
