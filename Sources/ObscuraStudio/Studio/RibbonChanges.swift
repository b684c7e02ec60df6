// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase

/// Counts the changes of the ribbon that are in progress, so that limits hold for simultaneous requests, and no change
/// is lost when a picker ends.
final class RibbonChanges: Sendable {
    private struct State {
        var running = 0
        /// Number of items that the changes in progress may add.
        var reserved = 0
        var isClosed = false
    }

    private let state = Lock(State())

    /// Begins a change that adds up to `count` items; call ``end(adding:)`` afterwards.
    ///
    /// - Parameter check: called with the number of items that other changes in progress may add.
    /// - Throws: the error of `check`; ``ObscuraError/Code/wrongState`` after ``close()``.
    func begin(adding count: Int, _ check: (_ reserved: Int) throws(ObscuraError) -> Void) throws(ObscuraError) {
        try state.withLock { state throws(ObscuraError) in
            guard !state.isClosed else {
                throw ObscuraError(
                    .studio, .wrongState, subject: "selection",
                    reason: "it cannot be changed while it is being returned to the program")
            }
            try check(state.reserved)
            state.running += 1
            state.reserved += count
        }
    }

    func end(adding count: Int) {
        state.withLock { state in
            state.running -= 1
            state.reserved -= count
        }
    }

    /// Rejects all later changes.
    ///
    /// - Throws: ``ObscuraError/Code/wrongState`` if a change is in progress, or if it is closed already.
    func close() throws(ObscuraError) {
        try state.withLock { state throws(ObscuraError) in
            guard !state.isClosed else {
                throw ObscuraError(
                    .studio, .wrongState, subject: "selection", reason: "it is already being returned to the program")
            }
            guard state.running == 0 else {
                throw ObscuraError(
                    .studio, .wrongState, subject: "selection",
                    reason: "a photo or movie is still being added or changed",
                    advice: "Try again in a moment.")
            }
            state.isClosed = true
        }
    }

    func reopen() {
        state.withLock { $0.isClosed = false }
    }
}
