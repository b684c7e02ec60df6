// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The most recently used objects of a fetch result, in pages.
struct ObjectPages<ObjectType: AnyObject> {
    static var length: Int { 256 }
    private static var limit: Int { 16 }

    private var pages: [(number: Int, objects: [ObjectType])] = []

    /// Returns the objects of a page; nil if it must be loaded.
    mutating func page(_ number: Int) -> [ObjectType]? {
        guard let place = pages.firstIndex(where: { $0.number == number }) else { return nil }
        let page = pages.remove(at: place)
        pages.append(page)
        return page.objects
    }

    mutating func store(_ objects: [ObjectType], as number: Int) {
        guard page(number) == nil else { return }
        if pages.count == Self.limit { pages.removeFirst() }
        pages.append((number, objects))
    }
}
