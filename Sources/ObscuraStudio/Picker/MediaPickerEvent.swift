// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// An action of a user on the page of a ``MediaPicker``, or its beginning or end.
public enum MediaPickerEvent: Sendable, Hashable {
    /// The page can be opened at this address, which contains the access token.
    case opened(address: String)
    /// The page has ended, or could not be opened: `MediaPicker.pick(open:)` returns or throws.
    case ended
    /// A photo or movie was added at the end.
    case added(name: String, from: MediaPickerConfiguration.Source)
    /// A photo or movie was removed.
    case removed(name: String)
    /// The order has changed.
    case moved(names: [String])
    /// The edits of a photo have changed.
    case edited(name: String)
}
