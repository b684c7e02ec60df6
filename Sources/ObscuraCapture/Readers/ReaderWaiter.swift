// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// What is told that a reader may have something to take.
protocol ReadyListener: AnyObject, Sendable {
    /// Called on any thread; must not block, unless it delivers on the thread of arrival.
    func readerIsReady()
}

/// What waits for the next element of a reader.
enum ReaderWaiter: Sendable {
    /// A loop. Unlike a closure it needs no memory of its own, with each frame.
    case loop(UnsafeContinuation<Void, Never>)
    /// A reader of a delegate; retained, until it is woken or its reader is closed.
    case listener(any ReadyListener)
    case callback(@Sendable () -> Void)

    /// Ends the wait; called once.
    func wake() {
        switch self {
        case .loop(let continuation): continuation.resume()
        case .listener(let listener): listener.readerIsReady()
        case .callback(let body): body()
        }
    }
}
