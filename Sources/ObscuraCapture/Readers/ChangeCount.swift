// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Synchronization

/// The number of changes of some settings, by which their readers know whether to read them again.
final class ChangeCount: Sendable {
    private let changes = Atomic<UInt64>(0)

    var number: UInt64 { changes.load(ordering: .acquiring) }

    /// Counts a change that has been made.
    func add() {
        changes.add(1, ordering: .acquiringAndReleasing)
    }
}
