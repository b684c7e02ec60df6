// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// An event of the page of a ``MediaPicker``: its opening, an action of the user, or its end.
public enum MediaPickerEvent: Sendable, Hashable {
    /// The page can be opened at this address, which contains the access token.
    case opened(address: String)
    /// The page has ended, or could not be opened: `MediaPicker.pick(open:)` returns or throws.
    case ended
    /// A photo or movie was added at the end of the selection.
    case added(name: String, from: MediaPickerConfiguration.Source)
    /// A photo or movie was removed from the selection.
    case removed(name: String)
    /// The order of the selection has changed. `names` is the selection in the new order.
    case moved(names: [String])
    /// The edits of a photo have changed.
    case edited(name: String)
}
