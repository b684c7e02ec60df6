// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// How much one client may have, and for how long. Every limit of the server is here, so that a test can set it low.
package struct RequestLimits: Sendable {
    package init() {}

    // MARK: Connections

    /// All that are open. One more is closed at once: that costs least, and a page that is connected goes on.
    package var connections = 512
    /// Those of one address, where it is not this machine.
    package var connectionsPerPeer = 64
    /// Those of them that are WebSockets.
    package var sockets = 64

    // MARK: Requests

    /// The head of a request: its path and all names and values of its headers.
    package var headerBytes = 16 * 1024
    package var headerCount = 100
    /// From the opening of a connection, or from the first byte of a later request, to the end of the request's head.
    /// TLS must have been agreed upon by then as well.
    package var headTime = Duration.seconds(10)
    /// Between two requests.
    package var idleTime = Duration.seconds(60)
    /// A body must bring `bodyBytes` in each such time, or end.
    package var bodyTime = Duration.seconds(30)
    package var bodyBytes = 30 * 1024
    /// A body of JSON.
    package var jsonBytes = 1024 * 1024
    /// What may still come of a body that nobody reads any more since the answer is given.
    package var drainBytes = 256 * 1024
    package var drainTime = Duration.seconds(2)

    // MARK: Answers

    /// How long a client may take nothing of what is ready for it.
    package var stallTime = Duration.seconds(15)
    /// How long the answer may go on to a client that has closed its own side.
    package var halfClosedTime = Duration.seconds(15)
    /// What of an answer waits in the kernel unsent. More of it is only older pictures for a slow viewer.
    package var unsentBytes = 64 * 1024
    /// An answer waits while more than this is not yet with the kernel.
    package var waitingBytes = 128 * 1024

    // MARK: WebSockets

    package var socketFrameBytes = 64 * 1024
    package var socketMessageBytes = 16 * 1024
    /// A page that lets more than this wait is closed.
    package var socketUnsentBytes = 16 * 1024 * 1024
    package var pingInterval = Duration.seconds(5)
    /// A page from which nothing came for so long is cut off.
    package var silenceTime = Duration.seconds(15)

    /// How long a page has to answer our closing with its own.
    package var closingTime = Duration.seconds(1)

    // MARK: Guesses

    /// So many wrong tokens of one address in `guessTime` are answered at once, each further one after `guessDelay`.
    /// Of passwords it is after `guessDelay`, and after twice as long each time up to `guessDelayLimit`; see
    /// ``PasswordAttempts``.
    package var guesses = 10
    package var guessTime = Duration.seconds(60)
    package var guessDelay = Duration.seconds(1)
    package var guessDelayLimit = Duration.seconds(30)

    // MARK: The end

    /// How long streams and requests have to end when the server stops.
    package var shutdownTime = Duration.seconds(1)
}
