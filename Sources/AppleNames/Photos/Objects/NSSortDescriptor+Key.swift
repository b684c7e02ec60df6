// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

extension NSSortDescriptor {
    /// Creates a sort order for a fetch. Foundation on Linux has only initializers with key paths, which do not accept
    /// optional properties.
    ///
    /// - Parameters:
    ///   - key: `creationDate` or `duration` of assets, or `localizedTitle` of albums. With another key, an error is
    ///     logged, and the fetch uses its default order.
    ///   - ascending: whether the smallest value comes first.
    public convenience init(key: String?, ascending: Bool) {
        switch key {
        case "creationDate":
            self.init(keyPath: \PHAsset.creationDate, ascending: ascending) { one, other in
                Self.compare(one as? Date, other as? Date)
            }
        case "duration":
            self.init(keyPath: \PHAsset.duration, ascending: ascending)
        case "localizedTitle":
            self.init(keyPath: \PHCollection.localizedTitle, ascending: ascending) { one, other in
                Self.compare((one as? String)?.lowercased(), (other as? String)?.lowercased())
            }
        default:
            PhotoStore.logger.error("NSSortDescriptor: the key \(key ?? "nil") is not supported")
            self.init(keyPath: \PHObject.localIdentifier, ascending: ascending)
        }
    }

    private static func compare<Value: Comparable>(_ one: Value?, _ other: Value?) -> ComparisonResult {
        switch (one, other) {
        case (nil, nil): .orderedSame
        case (nil, _): .orderedAscending
        case (_, nil): .orderedDescending
        case (let one?, let other?):
            one < other ? .orderedAscending : one > other ? .orderedDescending : .orderedSame
        }
    }
}
