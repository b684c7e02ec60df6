// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase

/// The photos and movies that were taken last, as shown in the ribbon: names in an order that users can change.
/// Thread-safe.
final class RecentMedia: Sendable {
    /// Maximum number of names; beyond it, the oldest is removed, while its file remains.
    static let mostNames = 1000

    private struct State {
        var names: [String] = []
        var onChange: (@Sendable () -> Void)?
    }

    private let state: Lock<State>

    /// - Parameter names: the names of an earlier ribbon.
    init(names: [String] = []) {
        state = Lock(State(names: Array(names.suffix(Self.mostNames))))
    }

    /// The names, in order.
    var names: [String] { state.withLock { $0.names } }

    /// Called after each change, on the thread that made it; must not block.
    var onChange: (@Sendable () -> Void)? {
        get { state.withLock { $0.onChange } }
        set { state.withLock { $0.onChange = newValue } }
    }

    /// Adds a new item. A name that already exists keeps its position.
    func append(_ name: String) {
        change { names in
            guard !names.contains(name) else { return }
            names.append(name)
            if names.count > Self.mostNames { names.removeFirst(names.count - Self.mostNames) }
        }
    }

    /// Adds an item at a position, or at the end if there are fewer items.
    func insert(_ name: String, at place: Int) {
        change { names in
            guard !names.contains(name), names.count < Self.mostNames else { return }
            names.insert(name, at: min(max(0, place), names.count))
        }
    }

    /// Changes the order of the names. Those that are absent, such as a photo that was taken meanwhile, come after the
    /// others.
    ///
    /// - Throws: ``ObscuraError/Code/invalidRequest`` for a name that is not in the ribbon, or is listed
    ///   twice.
    func reorder(_ order: [String]) throws(ObscuraError) {
        let isSound = change { names in
            let wanted = Set(order)
            guard wanted.count == order.count, wanted.isSubset(of: names) else { return false }
            names = order + names.filter { !wanted.contains($0) }
            return true
        }
        guard isSound else {
            throw ObscuraError(
                .studio, .invalidRequest, subject: "list of recent photos and movies",
                reason: "the new order has a name twice, or a name that is not in the list",
                advice: "Reload the page; the list may have changed.")
        }
    }

    /// Sets all names.
    func set(_ names: [String]) {
        change { $0 = Array(names.suffix(Self.mostNames)) }
    }

    /// Puts another name in the place of one.
    ///
    /// - Returns: whether the name existed.
    func replace(_ name: String, by other: String) -> Bool {
        change { names in
            guard let place = names.firstIndex(of: name) else { return false }
            names[place] = other
            return true
        }
    }

    /// Removes a name.
    ///
    /// - Returns: whether the name existed.
    @discardableResult
    func remove(_ name: String) -> Bool {
        change { names in
            guard let place = names.firstIndex(of: name) else { return false }
            names.remove(at: place)
            return true
        }
    }

    private func change<R>(_ body: (inout [String]) -> R) -> R {
        let (result, onChange) = state.withLock { state in
            let before = state.names
            let result = body(&state.names)
            return (result, state.names == before ? nil : state.onChange)
        }
        onChange?()
        return result
    }
}
