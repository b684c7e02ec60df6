// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase
internal import ObscuraLibrary

/// A file to add to the library, and its path there, which is reserved until ``release()``.
final class PlacedFile: Sendable {
    let path: String
    private let file: Lock<SourceFile?>
    private let isMoved: Bool
    private let store: PhotoStore

    /// Reads the file, and reserves a path.
    nonisolated(nonsending) init(_ data: AssetData, in store: PhotoStore) async throws(ObscuraError) {
        let library = try await store.library()
        let (file, name) = try await PhotoStore.work.run { () throws(ObscuraError) in
            let file = try data.file()
            return (file, data.fileName(of: file))
        }
        var path = try await library.unusedPath(for: file.url.path, named: name)
        while !store.claim(path) {
            let (stem, ending) = ((name as NSString).deletingPathExtension, (name as NSString).pathExtension)
            let number = String(UInt32.random(in: .min ... .max), radix: 36)
            path = try await library.unusedPath(for: file.url.path, named: "\(stem)-\(number).\(ending)")
        }
        (self.path, self.file, self.store) = (path, Lock(file), store)
        isMoved = data.isMoved && !file.isTemporary
    }

    deinit {
        release()
    }

    /// Deletes a temporary file, and gives up the reservation of the path.
    func release() {
        let isFirst = file.withLock { file in
            defer { file = nil }
            return file != nil
        }
        if isFirst { store.release(path) }
    }

    /// Copies the file into the library.
    nonisolated(nonsending) func add(to library: MediaLibrary) async throws(ObscuraError) {
        guard let file = file.withLock({ $0 }) else { return }
        try await library.add(file.url.path, at: path)
        guard isMoved else { return }
        await PhotoStore.work.run {
            do {
                try FileManager.default.removeItem(at: file.url)
            } catch {
                PhotoStore.logger.error("\(file.url.path) was copied into the library, but not deleted: \(error)")
            }
        }
    }
}
