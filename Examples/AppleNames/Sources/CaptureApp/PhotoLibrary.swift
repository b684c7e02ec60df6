// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Photos

/// Saves to the photo library of the user.
enum PhotoLibrary {
    static func save(photo: Data) async throws {
        try await save { $0.addResource(with: .photo, data: photo, options: nil) }
    }

    /// Moves the file into the library.
    static func save(movie: URL) async throws {
        try await save { request in
            let options = PHAssetResourceCreationOptions()
            options.shouldMoveFile = true
            request.addResource(with: .video, fileURL: movie, options: options)
        }
    }

    private static func save(_ add: @escaping @Sendable (PHAssetCreationRequest) -> Void) async throws {
        guard await PHPhotoLibrary.requestAuthorization(for: .addOnly) == .authorized else { throw NotPermitted() }
        try await PHPhotoLibrary.shared().performChanges { add(PHAssetCreationRequest.forAsset()) }
    }

    private struct NotPermitted: LocalizedError {
        var errorDescription: String? { "This program may not add to the photo library." }
    }
}
