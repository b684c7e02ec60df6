// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// Settings of a fetch. Conditions are absent: on Linux `NSPredicate` has no formats.
public class PHFetchOptions: NSObject, NSCopying {
    /// The order. The first descriptor counts; see `NSSortDescriptor.init(key:ascending:)` for its keys. By default, assets
    /// are ordered by their date, earliest first, those of an album as the user has put them, and albums by their names.
    public var sortDescriptors: [NSSortDescriptor]?
    /// The maximum number of objects; 0 for no limit.
    public var fetchLimit = 0
    /// Whether changes of the result have indexes.
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
