// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase

/// Tells the pages that something has changed, or what people should know.
final class Announcer: Sendable {
    /// What pages are told of.
    struct Listener: Sendable {
        /// Something of the state is another. Any thread; must not block.
        var onChange: @Sendable () -> Void
        var onNotice: @Sendable (Notice) -> Void
    }

    private let listeners = Lock<(next: Int, all: [Int: Listener])>((0, [:]))

    /// - Returns: what ``remove(_:)`` takes.
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

    private var all: [Listener] { listeners.withLock { Array($0.all.values) } }
}
