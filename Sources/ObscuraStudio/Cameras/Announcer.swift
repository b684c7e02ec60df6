// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase

/// Notifies the pages of state changes and of messages for users.
final class Announcer: Sendable {
    /// The callbacks of a listener.
    struct Listener: Sendable {
        /// Called after a change of the Studio's state, on any thread; must not block.
        var onChange: @Sendable () -> Void
        var onNotice: @Sendable (Notice) -> Void = { _ in }
        /// Called with the name of a photo whose edits have changed.
        var onEdit: @Sendable (String) -> Void = { _ in }
    }

    private let listeners = Lock<(next: Int, all: [Int: Listener])>((0, [:]))

    /// - Returns: the id to pass to ``remove(_:)``.
    func add(_ listener: Listener) -> Int {
        listeners.withLock { listeners in
            defer { listeners.next += 1 }
            listeners.all[listeners.next] = listener
            return listeners.next
        }
    }

    func remove(_ id: Int) {
        listeners.withLock { $0.all[id] = nil }
    }

    func noteChange() {
        for listener in all { listener.onChange() }
    }

    func post(_ notice: Notice) {
        for listener in all { listener.onNotice(notice) }
    }

    func noteEdit(of name: String) {
        for listener in all { listener.onEdit(name) }
    }

    private var all: [Listener] { listeners.withLock { Array($0.all.values) } }
}
