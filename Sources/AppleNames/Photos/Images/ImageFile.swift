// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import AppleGraphics
internal import Obscura
internal import ObscuraBase
internal import ObscuraImaging
internal import ObscuraLibrary
internal import UniformTypeIdentifiers

/// The bytes of a photo.
struct ImageFile: Sendable {
    let data: Data
    let type: UTType
    let orientation: CGImagePropertyOrientation

    /// Reads the file of a photo, or encodes it with its edits.
    nonisolated(nonsending) init(
        of asset: PHAsset, in library: MediaLibrary, isEdited: Bool
    ) async throws(ObscuraError) {
        let path = asset.localIdentifier
        guard asset.mediaType == .image else {
            throw ObscuraError(
                .library, .invalidRequest, subject: path, reason: "it is a movie, not a photo",
                advice: "Use requestImage, which returns the first frame.")
        }
        if isEdited, try await library.recipe(of: path) != nil {
            let folder = TemporaryFolder()
            let written = try await library.export([path], to: folder.url.path)
            self = try await PhotoStore.work.run { () throws(ObscuraError) in
                try withExtendedLifetime(folder) { () throws(ObscuraError) in try ImageFile(path: written.first ?? path)
                }
            }
        } else {
            let file = try await library.file(of: path)
            self = try await PhotoStore.work.run { () throws(ObscuraError) in
                try ImageFile(file.whole(upTo: MediaReading.mostOfPhoto), path)
            }
        }
    }

    private init(path: String) throws(ObscuraError) {
        try self.init(MediaFile(opening: path).whole(upTo: MediaReading.mostOfPhoto), path)
    }

    private init(_ bytes: [UInt8], _ path: String) throws(ObscuraError) {
        let info: StillInfo
        do throws(ObscuraError) {
            info = try StillInfo(bytes)
        } catch {
            throw .unreadable(path, error.reason)
        }
        data = Data(bytes)
        type = info.kind == .png ? .png : .jpeg
        orientation = CGImagePropertyOrientation(turn: info.orientation, isMirrored: info.isMirrored)
    }
}
