// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// Settings of a fetch. There is no `predicate`, because `NSPredicate` on Linux does not support format strings.
public class PHFetchOptions: NSObject, NSCopying {
    /// The order. Only the first descriptor is used; see `NSSortDescriptor.init(key:ascending:)` for its keys.
    ///
    /// Default order:
    /// - all assets: by date, earliest first;
    /// - assets of an album: as the user has arranged them;
    /// - albums: by name.
    public var sortDescriptors: [NSSortDescriptor]?
    /// The maximum number of objects; 0 for no limit.
    public var fetchLimit = 0
    /// Whether changes of the result are reported with indexes; see ``PHFetchResultChangeDetails``.
    public var wantsIncrementalChangeDetails = true

    /// Creates the default settings.
    override public init() {}

    /// Returns a copy.
    public func copy(with zone: NSZone? = nil) -> Any {
        let copy = PHFetchOptions()
        copy.sortDescriptors = sortDescriptors
        copy.fetchLimit = fetchLimit
        copy.wantsIncrementalChangeDetails = wantsIncrementalChangeDetails
        return copy
    }
}
