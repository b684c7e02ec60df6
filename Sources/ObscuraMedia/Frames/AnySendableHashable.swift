// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A type-erased value that is hashable and sendable: it carries values of a higher module through types of this
/// module, which cannot name their type.
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
