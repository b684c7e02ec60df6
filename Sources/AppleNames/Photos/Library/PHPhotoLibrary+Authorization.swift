// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

extension PHPhotoLibrary {
    /// Returns the permission of this process on the folder of the library, determined by trying. Blocks on the disk.
    public class func authorizationStatus() -> PHAuthorizationStatus {
        switch PhotoStore.current.rights {
        case .none: .denied
        case .readOnly: .restricted
        case .readWrite: .authorized
        }
    }

    /// Returns the permission of this process on the folder of the library, which is the same for all purposes: a file
    /// cannot be added without reading the names of the others.
    public class func authorizationStatus(for accessLevel: PHAccessLevel) -> PHAuthorizationStatus {
        authorizationStatus()
    }

    /// Determines the permission of this process. Nobody is asked.
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

    /// Determines the permission of this process. Nobody is asked.
    public class func requestAuthorization(for accessLevel: PHAccessLevel) async -> PHAuthorizationStatus {
        await withCheckedContinuation { continuation in
            requestAuthorization { continuation.resume(returning: $0) }
        }
    }
}
