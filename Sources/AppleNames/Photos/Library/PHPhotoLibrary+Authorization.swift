// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

extension PHPhotoLibrary {
    /// Returns the permission of this process on the folder of the library. Tests it with file operations, which block.
    public class func authorizationStatus() -> PHAuthorizationStatus {
        switch PhotoStore.current.rights {
        case .none: .denied
        case .readOnly: .restricted
        case .readWrite: .authorized
        }
    }

    /// Returns the permission of this process on the folder of the library. It is the same for all access levels,
    /// because files cannot be added without reading the names of existing files.
    public class func authorizationStatus(for accessLevel: PHAccessLevel) -> PHAuthorizationStatus {
        authorizationStatus()
    }

    /// Determines the permission of this process. The user is not asked.
    ///
    /// - Parameter handler: called on an arbitrary queue.
    @preconcurrency
    public class func requestAuthorization(_ handler: @escaping @Sendable (PHAuthorizationStatus) -> Void) {
        PhotoStore.current.call { handler(authorizationStatus()) }
    }

    /// Determines the permission of this process, like ``requestAuthorization(_:)``.
    @preconcurrency
    public class func requestAuthorization(
        for accessLevel: PHAccessLevel, handler: @escaping @Sendable (PHAuthorizationStatus) -> Void
    ) {
        requestAuthorization(handler)
    }

    /// Determines the permission of this process. The user is not asked.
    public class func requestAuthorization(for accessLevel: PHAccessLevel) async -> PHAuthorizationStatus {
        await withCheckedContinuation { continuation in
            requestAuthorization { continuation.resume(returning: $0) }
        }
    }
}
