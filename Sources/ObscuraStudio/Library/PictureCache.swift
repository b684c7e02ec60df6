// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase

/// A cache of thumbnails. Simultaneous requests for one picture share the work.
///
/// Requests for a picture in progress suspend without blocking a thread. A failure is passed to all of them, and is not
/// cached.
final class PictureCache: Sendable {
    struct Key: Sendable, Hashable {
        let name: String
        let status: FileStatus
        /// The edits to apply.
        let recipe: StillRecipe?
        /// The size to fit the picture in; nil for its full size.
        let box: PixelSize?
    }

    private typealias Outcome = Result<[UInt8], any Error>

    private struct State {
        var pictures: BoundedCache<Key, [UInt8]>
        /// The requests that wait for each picture in progress.
        var waiting: [Key: [CheckedContinuation<Outcome?, Never>]] = [:]
        var madeCount = 0
    }

    private enum Claim {
        case found([UInt8])
        case underWay
        case mine
    }

    private let state: Lock<State>

    /// - Parameter limit: maximum total size of the pictures, in bytes.
    init(limit: Int) {
        state = Lock(State(pictures: BoundedCache(limit: limit)))
    }

    /// Number of pictures that were created rather than found.
    var madeCount: Int { state.withLock { $0.madeCount } }
    /// Total size of the cached pictures, in bytes.
    var byteCount: Int { state.withLock { $0.pictures.cost } }

    nonisolated(nonsending) func picture(
        _ key: Key, make: () async throws -> [UInt8]
    ) async throws -> [UInt8] {
        while true {
            switch claim(key) {
            case .found(let picture): return picture
            case .mine: return try await fly(key, make)
            case .underWay:
                // Nil if it has just finished: the next pass finds the picture or creates it again.
                if let outcome = await landing(of: key) { return try outcome.get() }
            }
        }
    }

    private func claim(_ key: Key) -> Claim {
        state.withLock { state in
            if let picture = state.pictures.value(for: key) { return .found(picture) }
            guard state.waiting[key] == nil else { return .underWay }
            state.waiting[key] = []
            return .mine
        }
    }

    nonisolated(nonsending) private func fly(
        _ key: Key, _ make: () async throws -> [UInt8]
    ) async throws -> [UInt8] {
        let outcome: Outcome
        do {
            outcome = .success(try await make())
        } catch {
            outcome = .failure(error)
        }
        let waiting = state.withLock { state in
            state.madeCount += 1
            if case .success(let picture) = outcome {
                state.pictures.insert(picture, cost: picture.count, for: key)
            }
            return state.waiting.removeValue(forKey: key) ?? []
        }
        for continuation in waiting { continuation.resume(returning: outcome) }
        return try outcome.get()
    }

    nonisolated(nonsending) private func landing(of key: Key) async -> Outcome? {
        await withCheckedContinuation { continuation in
            let isFlying = state.withLock { state in
                guard state.waiting[key] != nil else { return false }
                state.waiting[key]?.append(continuation)
                return true
            }
            if !isFlying { continuation.resume(returning: nil) }
        }
    }
}
