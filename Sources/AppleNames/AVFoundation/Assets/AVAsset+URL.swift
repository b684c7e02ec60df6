// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// Lets an initializer return an object of a subclass.
private protocol SubclassMaking {}

extension SubclassMaking {
    fileprivate init(making: () -> Self) { self = making() }
}

extension AVAsset: SubclassMaking {
    /// Creates an asset, which is an ``AVURLAsset``. Nothing is opened yet.
    public convenience init(url: URL) {
        self.init(making: { AVURLAsset(url: url) as? Self ?? Self.init(unspecific: url) })
    }
}
