// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// What waits for the next element of a reader.
enum ReaderWaiter: Sendable {
    /// A loop. Unlike a closure it needs no memory of its own, with each frame.
    case loop(UnsafeContinuation<Void, Never>)
    case callback(@Sendable () -> Void)

    /// Ends the wait; called once.
    func wake() {
        switch self {
        case .loop(let continuation): continuation.resume()
        case .callback(let body): body()
        }
    }
}
