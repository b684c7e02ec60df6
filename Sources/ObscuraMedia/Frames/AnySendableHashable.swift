// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A value of any type that can be compared and handed from thread to thread: what a room above this one asks
/// for travels in it through values that cannot know the type.
package struct AnySendableHashable: Sendable, Hashable {
    package let base: any Hashable & Sendable

    package init(_ base: some Hashable & Sendable) {
        self.base = base
    }

    package static func == (one: AnySendableHashable, other: AnySendableHashable) -> Bool {
        AnyHashable(one.base) == AnyHashable(other.base)
    }

    package func hash(into hasher: inout Hasher) {
        AnyHashable(base).hash(into: &hasher)
    }
}
