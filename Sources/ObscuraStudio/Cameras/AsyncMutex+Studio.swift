// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase

extension AsyncMutex {
    /// Runs `body` with the lock held. Cancellation does not end the wait: a camera is stopped also by a cancelled task.
    ///
    /// - Throws: ``ObscuraError/Code/tooMuch`` if too many tasks wait already, and the errors of `body`.
    nonisolated(nonsending) func perform<R>(_ body: nonisolated(nonsending) () async throws -> R) async throws -> R {
        guard await lock(isCancellable: false) == .locked else {
            throw ObscuraError(
                .studio, .tooMuch, subject: "camera", reason: "too many requests at once",
                advice: "Try again in a moment.")
        }
        defer { unlock() }
        return try await body()
    }
}
