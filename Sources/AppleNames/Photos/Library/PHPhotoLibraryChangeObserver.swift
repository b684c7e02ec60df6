// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// An object that is told about changes of the library.
public protocol PHPhotoLibraryChangeObserver: NSObjectProtocol {
    /// Called after a change, on a queue of the library. Changes in quick succession are combined, and a call does not
    /// mean that something has changed that the observer has fetched.
    func photoLibraryDidChange(_ changeInstance: PHChange)
}
