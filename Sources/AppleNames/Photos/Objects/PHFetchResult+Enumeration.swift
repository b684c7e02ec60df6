// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

extension PHFetchResult {
    /// Calls `block` with each object and its index, in order, until the block sets its last parameter to true.
    public func enumerateObjects(_ block: @escaping (ObjectType, Int, UnsafeMutablePointer<ObjCBool>) -> Void) {
        enumerateObjects(options: [], using: block)
    }

    /// Calls `block` with each object and its index, until the block sets its last parameter to true.
    ///
    /// - Parameter opts: `reverse` for the reverse order. Even with `concurrent`, all calls are made one after another,
    ///   on the calling thread.
    public func enumerateObjects(
        options opts: NSEnumerationOptions = [],
        using block: @escaping (ObjectType, Int, UnsafeMutablePointer<ObjCBool>) -> Void
    ) {
        enumerateObjects(at: IndexSet(integersIn: 0..<count), options: opts, using: block)
    }

    /// Calls `block` with the objects at some indexes, like ``enumerateObjects(options:using:)``.
    public func enumerateObjects(
        at indexSet: IndexSet, options opts: NSEnumerationOptions = [],
        using block: @escaping (ObjectType, Int, UnsafeMutablePointer<ObjCBool>) -> Void
    ) {
        var stops = ObjCBool(false)
        func visit(_ index: Int) -> Bool {
            block(object(at: index), index, &stops)
            return stops.boolValue
        }
        if opts.contains(.reverse) {
            _ = indexSet.reversed().first(where: visit)
        } else {
            _ = indexSet.first(where: visit)
        }
    }
}
