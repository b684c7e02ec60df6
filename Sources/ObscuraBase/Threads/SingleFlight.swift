// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A cache that creates one value per key, also when several threads request it at the same time: the first thread
/// creates it, the others wait. Copies share their values.
///
/// Failures are cached as well, so that a corrupt frame is not decoded again for each reader.
@usableFromInline package struct SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    @usableFromInline enum Entry {
        case underWay
        case done(Result<Value, any Error>)
    }

    @usableFromInline let entries = Lock<[Key: Entry]>([:])

    @inlinable package init() {}

    /// Returns the value for `key`, created by `make` if it does not exist. Blocks while another thread creates it.
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

    /// The number of values.
    @inlinable package var count: Int { entries.withLock { $0.count } }
}
