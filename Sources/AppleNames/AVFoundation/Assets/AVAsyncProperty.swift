// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// A property of a type that is read asynchronously; see ``AVAsyncProperty``.
public class AVPartialAsyncProperty<Root: AVAsynchronousKeyValueLoading>: @unchecked Sendable {
    // `@unchecked Sendable` is safe because it has no state.
    init() {}
}

/// A property for ``AVAsynchronousKeyValueLoading/load(_:)``, such as `.duration`.
public final class AVAsyncProperty<Root: AVAsynchronousKeyValueLoading, Value>: AVPartialAsyncProperty<Root>,
    @unchecked Sendable
{
    // `@unchecked Sendable` is safe because the function is Sendable.

    /// The state of a property.
    public enum Status {
        /// It has not been asked for.
        case notYetLoaded
        /// It is being read.
        case loading
        /// Its value.
        case loaded(Value)
        /// It could not be read.
        case failed(NSError)
    }

    let value: @Sendable (Root) -> Value

    init(_ value: @escaping @Sendable (Root) -> Value) {
        self.value = value
        super.init()
    }
}

extension AVAsynchronousKeyValueLoading {
    /// Returns a property. The movie is opened on another thread if it is not yet.
    ///
    /// - Throws: an `ObscuraError` if the movie cannot be read.
    public func load<Value>(_ property: AVAsyncProperty<Self, Value>) async throws -> Value {
        try await open()
        return property.value(self)
    }

    /// Returns several properties; see ``load(_:)``.
    public func load<A, B, each Value>(
        _ a: AVAsyncProperty<Self, A>, _ b: AVAsyncProperty<Self, B>,
        _ properties: repeat AVAsyncProperty<Self, each Value>
    ) async throws -> (A, B, repeat each Value) {
        try await open()
        return (a.value(self), b.value(self), repeat (each properties).value(self))
    }

    /// Returns whether a property was read, and its value.
    public func status<Value>(of property: AVAsyncProperty<Self, Value>) -> AVAsyncProperty<Self, Value>.Status {
        guard let source = (self as? any AssetReading)?.source else { return .loaded(property.value(self)) }
        return switch source.result {
        case .success: .loaded(property.value(self))
        case .failure(let error): .failed(error as NSError)
        case nil: source.isLoading ? .loading : .notYetLoaded
        }
    }

    private func open() async throws {
        try await (self as? any AssetReading)?.source.load()
    }
}
