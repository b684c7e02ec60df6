// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

extension NSSortDescriptor {
    /// An order of fetched objects. Foundation of Linux has key paths only, and none for properties that may be nil.
    ///
    /// - Parameters:
    ///   - key: `creationDate` or `duration` of assets, or `localizedTitle` of albums. A fetch with another key has its
    ///     default order, and is an error in the log.
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
