// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// An object that is notified of changes of the library.
public protocol PHPhotoLibraryChangeObserver: NSObjectProtocol {
    /// Called after a change, on a queue of the library. Changes in quick succession are combined into one call. The
    /// objects that the observer has fetched are not necessarily affected.
    func photoLibraryDidChange(_ changeInstance: PHChange)
}
