// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// An asset or an album that a change creates.
///
/// Pass the placeholder to other requests of the same block, as in `addAssets([placeholder] as NSArray)`. After the
/// change, fetch the object with the identifier.
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

    /// The identifier of the object.
    ///
    /// For an asset, the first access reads the data of the asset, and blocks. If there is no data, or it cannot be
    /// added, the identifier is empty, and an error is logged.
    override public var localIdentifier: String { asset?.identifier(in: store) ?? super.localIdentifier }
}
