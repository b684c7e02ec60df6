// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// An asset or an album that a change creates.
///
/// It is passed to other requests of the same change, as `addAssets([placeholder] as NSArray)`. After the change, its
/// identifier fetches the object.
public class PHObjectPlaceholder: PHObject, @unchecked Sendable {  // All properties are constants.
    /// The asset; nil for an album.
    let asset: NewAsset?

    init(_ asset: NewAsset, in store: PhotoStore) {
        self.asset = asset
        super.init("", in: store)
    }

    init(album identifier: String, in store: PhotoStore) {
        asset = nil
        super.init(identifier, in: store)
    }

    /// The identifier of the object. That of an asset depends on its data: without any, or with data that cannot be added,
    /// it is empty, and an error is in the log. Reads the data of an asset at the first time, and then blocks.
    override public var localIdentifier: String { asset?.identifier(in: store) ?? super.localIdentifier }
}
