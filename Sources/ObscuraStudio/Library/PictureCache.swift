// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase

/// Small pictures, each made once however many ask for it, and kept while there is room.
///
/// Who waits for a picture that is being made suspends, and holds no thread. A failure is told to all who waited, and
/// is not kept.
final class PictureCache: Sendable {
    struct Key: Sendable, Hashable {
        let name: String
        let status: FileStatus
        /// The edits that are applied.
        let recipe: StillRecipe?
        /// The size that it is fitted in.
        let width: Int?
        let height: Int?
    }

    private typealias Outcome = Result<[UInt8], any Error>

    private struct State {
        var pictures: BoundedCache<Key, [UInt8]>
        /// Those who wait for each picture that is being made.
        var waiting: [Key: [CheckedContinuation<Outcome?, Never>]] = [:]
        var madeCount = 0
    }

    private enum Claim {
        case found([UInt8])
        case underWay
        case mine
    }

    private let state: Lock<State>

    /// - Parameter limit: how many bytes are kept.
    init(limit: Int) {
        state = Lock(State(pictures: BoundedCache(limit: limit)))
    }

    /// How many pictures had to be made.
    var madeCount: Int { state.withLock { $0.madeCount } }
    /// How many bytes are kept.
    var byteCount: Int { state.withLock { $0.pictures.cost } }

    nonisolated(nonsending) func picture(
        _ key: Key, make: () async throws -> [UInt8]
    ) async throws -> [UInt8] {
        while true {
            switch claim(key) {
            case .found(let picture): return picture
            case .mine: return try await fly(key, make)
            case .underWay:
                // Nil when it was just over: then it is found, or made anew.
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
