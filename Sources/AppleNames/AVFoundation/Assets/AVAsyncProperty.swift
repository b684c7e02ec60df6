// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// A property of `Root` that is read asynchronously; see ``AVAsyncProperty``.
public class AVPartialAsyncProperty<Root: AVAsynchronousKeyValueLoading>: @unchecked Sendable {
    // `@unchecked Sendable` is safe because it has no state.
    init() {}
}

/// A property for ``AVAsynchronousKeyValueLoading/load(_:)``, such as `.duration`.
public final class AVAsyncProperty<Root: AVAsynchronousKeyValueLoading, Value>: AVPartialAsyncProperty<Root>,
    @unchecked Sendable
{
    // `@unchecked Sendable` is safe because the function is Sendable.

    /// The status of a property.
    public enum Status {
        /// The property has not been requested.
        case notYetLoaded
        /// The property is being read.
        case loading
        /// The value of the property.
        case loaded(Value)
        /// The property could not be read.
        case failed(NSError)
    }

    let value: @Sendable (Root) -> Value

    init(_ value: @escaping @Sendable (Root) -> Value) {
        self.value = value
        super.init()
    }
}

extension AVAsynchronousKeyValueLoading {
    /// Returns a property. If the movie is not open yet, it is opened on another thread.
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
