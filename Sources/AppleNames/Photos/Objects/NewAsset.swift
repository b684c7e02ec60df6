// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import AppleGraphics
internal import Obscura
internal import ObscuraBase
internal import ObscuraLibrary

/// The asset of a creation request: its data, and the place in the library that it gets.
final class NewAsset: Sendable {
    private struct State {
        var resources: [AssetData] = []
        var placed: Result<PlacedFile, ObscuraError>?
    }

    private let state = Lock(State())

    init(_ data: AssetData? = nil) {
        if let data { add(data) }
    }

    /// Adds data. Only one file of data is supported, and none after the asset has an identifier.
    func add(_ data: AssetData) {
        state.withLock { state in
            state.resources.append(data)
            if state.placed != nil {
                state.placed = .failure(
                    Self.misuse("a file was added after the identifier of the placeholder was read"))
            }
        }
    }

    /// Returns the file to add, and its path in the library, which is reserved.
    ///
    /// - Throws: ``ObscuraError/Code/invalidRequest`` without data, ``ObscuraError/Code/unreadable`` and others for data
    ///   that cannot be added.
    nonisolated(nonsending) func placed(in store: PhotoStore) async throws(ObscuraError) -> PlacedFile {
        let (resources, known) = state.withLock { ($0.resources, $0.placed) }
        if let known { return try known.get() }
        let placed: Result<PlacedFile, ObscuraError>
        do throws(ObscuraError) {
            guard let data = resources.first, resources.count == 1 else {
                throw Self.misuse(resources.isEmpty ? "it has no file" : "it has more than one file")
            }
            placed = .success(try await PlacedFile(data, in: store))
        } catch {
            placed = .failure(error)
        }
        state.withLock { $0.placed = placed }
        return try placed.get()
    }

    /// Deletes a temporary file, and gives up the reservation of the path: the change is over.
    func release() {
        if case .success(let placed)? = state.withLock({ $0.placed }) { placed.release() }
    }

    /// The path in the library; empty if there is none. Blocks.
    func identifier(in store: PhotoStore) -> String {
        let path = BlockingCall.run { [self] () -> String? in
            do throws(ObscuraError) {
                return try await placed(in: store).path
            } catch {
                PhotoStore.logger.error("placeholder: \(error)")
                return nil
            }
        }
        return path ?? ""
    }

    private static func misuse(_ reason: String) -> ObscuraError {
        ObscuraError(
            .library, .invalidRequest, subject: "new asset", reason: reason,
            advice: "Add exactly one file before you read the identifier of the placeholder.")
    }
}
