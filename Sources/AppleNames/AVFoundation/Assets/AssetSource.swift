// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase

/// A movie file or address, and its contents, which are read once: when they are first needed.
final class AssetSource: Sendable {
    private enum State {
        case notYetLoaded
        case loading
        case done(Result<MovieContents, ObscuraError>)
    }

    /// Opening a movie blocks, on a network for seconds.
    private static let pool = WorkerPool(name: "assets", threads: 4)

    /// The path of the file, or the address.
    let location: String
    let isFile: Bool
    private let state = Lock(State.notYetLoaded)

    init(_ url: URL) {
        isFile = url.isFileURL
        location = url.isFileURL ? url.absoluteURL.path : url.absoluteString
    }

    /// Returns the contents. Blocks until they are read.
    func contents() throws(ObscuraError) -> MovieContents { try outcome().get() }

    /// Reads the contents on a thread of its own.
    func load() async throws(ObscuraError) {
        let outcome = if let result { result } else { await Self.pool.run { self.outcome() } }
        _ = try outcome.get()
    }

    /// Reads the contents on a thread of its own, and then calls `body`.
    func load(_ body: @escaping @Sendable (Result<MovieContents, ObscuraError>) -> Void) {
        Self.pool.async { body(self.outcome()) }
    }

    private func outcome() -> Result<MovieContents, ObscuraError> {
        let isFirst = state.withLock { state in
            guard case .notYetLoaded = state else { return false }
            state = .loading
            return true
        }
        if isFirst {
            let result = Result { () throws(ObscuraError) in try MovieContents.read(location) }
            state.withLockSignalling { $0 = .done(result) }
        }
        // Without a deadline the wait ends with a value only.
        while true {
            let result = state.wait { state in
                if case .done(let result) = state { result } else { nil }
            }
            if let result { return result }
        }
    }

    /// The contents; nil until they are read.
    var result: Result<MovieContents, ObscuraError>? {
        state.withLock { if case .done(let result) = $0 { result } else { nil } }
    }

    var isLoading: Bool { state.withLock { if case .loading = $0 { true } else { false } } }
}
