// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A list of assets.
public class PHCollection: PHObject, @unchecked Sendable {  // All properties are constants.
    /// The name.
    public let localizedTitle: String?

    init(_ identifier: String, title: String, in store: PhotoStore) {
        localizedTitle = title
        super.init(identifier, in: store)
    }
}
