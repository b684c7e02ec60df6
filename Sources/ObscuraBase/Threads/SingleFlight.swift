// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// Values that are made once for each key, also when many threads ask at the same time: the first one
/// makes it, the others wait for it.
///
/// A failure is kept like a value, so that a broken picture is not decoded again for each reader.
@usableFromInline package final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    @usableFromInline enum Entry {
        case underWay
        case done(Result<Value, any Error>)
    }

    @usableFromInline let entries = Lock<[Key: Entry]>([:])

    @inlinable package init() {}

    /// The value for `key`, made by `make` if nobody has made it. Blocks while another thread makes it.
    @inlinable package func value(for key: Key, make: () throws -> Value) throws -> Value {
        let found: Result<Value, any Error>? =
            entries.wait { entries in
                switch entries[key] {
                case nil:
                    entries[key] = .underWay
                    return .some(nil)
                case .underWay: return nil
                case .done(let result): return .some(result)
                }
            } ?? nil
        if let found { return try found.get() }
        let result = Result { try make() }
        entries.withLockSignalling { $0[key] = .done(result) }
        return try result.get()
    }

    /// How many values there are.
    @inlinable package var count: Int { entries.withLock { $0.count } }
}
