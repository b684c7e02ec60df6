// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The limits on the resources and the time that a client may use. All limits are variables, so that tests can lower
/// them.
package struct RequestLimits: Sendable {
    package init() {}

    // MARK: Connections

    /// Maximum number of open connections. A further connection is closed at once, which does not affect connected
    /// pages.
    package var connections = 512
    /// Maximum number of connections per address, except for those of this machine.
    package var connectionsPerPeer = 64
    /// Maximum number of connections that are WebSockets.
    package var sockets = 64

    // MARK: Requests

    /// Maximum size of a request's head: the path and the names and values of all headers.
    package var headerBytes = 16 * 1024
    package var headerCount = 100
    /// Maximum time for the head of a request, from the start of the connection or from the first byte of a later
    /// request. For the first request it includes the TLS handshake.
    package var headTime = Duration.seconds(10)
    /// Maximum time between two requests.
    package var idleTime = Duration.seconds(60)
    /// Interval in which a body must provide `bodyBytes`, or end.
    package var bodyTime = Duration.seconds(30)
    package var bodyBytes = 30 * 1024
    /// Maximum size of a JSON body.
    package var jsonBytes = 1024 * 1024
    /// Maximum size of the rest of a body that arrives after its response was sent.
    package var drainBytes = 256 * 1024
    package var drainTime = Duration.seconds(2)

    // MARK: Answers

    /// Maximum time in which a client accepts none of the data that is ready.
    package var stallTime = Duration.seconds(15)
    /// Maximum time for a response to a client that has closed its own side.
    package var halfClosedTime = Duration.seconds(15)
    /// Maximum number of unsent bytes in the kernel. A larger buffer would only hold older frames for a slow viewer.
    package var unsentBytes = 64 * 1024
    /// Number of bytes not yet accepted by the kernel from which on a response waits.
    package var waitingBytes = 128 * 1024

    // MARK: WebSockets

    package var socketFrameBytes = 64 * 1024
    package var socketMessageBytes = 16 * 1024
    /// Maximum number of unsent bytes of a page; a page with more unsent bytes is closed.
    package var socketUnsentBytes = 16 * 1024 * 1024
    package var pingInterval = Duration.seconds(5)
    /// Time without messages after which a page is closed.
    package var silenceTime = Duration.seconds(15)

    /// Maximum time for a page to complete the closing handshake.
    package var closingTime = Duration.seconds(1)

    // MARK: Guesses

    /// Number of wrong tokens of one address within `guessTime` that are answered at once; further ones are delayed by
    /// `guessDelay`. For passwords the delay starts with `guessDelay`, and doubles each time up to `guessDelayLimit`;
    /// see ``PasswordAttempts``.
    package var guesses = 10
    package var guessTime = Duration.seconds(60)
    package var guessDelay = Duration.seconds(1)
    package var guessDelayLimit = Duration.seconds(30)

    // MARK: Shutdown

    /// Maximum time for streams and requests to end when the server stops.
    package var shutdownTime = Duration.seconds(1)
}
