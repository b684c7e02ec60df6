// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

extension LibraryChange {
    /// The assets of a list; other objects are left out.
    static func assets(_ list: any NSFastEnumeration) -> [Asset] {
        if let result = list as? any AssetList { return result.paths.map { .present($0) } }
        guard let objects = list as? any Sequence else { return [] }
        return objects.compactMap { asset($0) }
    }

    /// The identifiers of the albums of a list; other objects are left out.
    static func albums(_ list: any NSFastEnumeration) -> [String] {
        if let result = list as? any AssetList { return result.paths }
        guard let objects = list as? any Sequence else { return [] }
        return objects.compactMap { ($0 as? PHAssetCollection)?.localIdentifier }
    }

    private static func asset(_ object: Any) -> Asset? {
        switch object {
        case let placeholder as PHObjectPlaceholder:
            placeholder.asset.map { .new($0) } ?? .present(placeholder.localIdentifier)
        case let asset as PHAsset: .present(asset.localIdentifier)
        default: nil
        }
    }
}
