// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraMedia

/// A TCP connection to a server; closed when released. One thread at a time.
final class TCPConnection {
    /// The socket, which is non-blocking.
    let descriptor: Int32

    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Milliseconds until the next address is tried in parallel (RFC 8305, section 5), so that an unresponsive address
    /// does not use up the time for the others.
    private static let attemptDelay: Int32 = 250

    /// Connects to the first address that accepts the connection. Blocks until the control's deadline at most.
    ///
    /// - Returns: nil if no address accepts; `errno` is then that of the last attempt.
    static func open(to endpoints: [Endpoint], control: ReadControl) -> TCPConnection? {
        var untried = endpoints[...]
        var attempts: [TCPConnection] = []
        var failure = ETIMEDOUT
        while !control.mustEnd {
            if let endpoint = untried.popFirst() {
                if let attempt = start(endpoint) { attempts.append(attempt) } else { failure = errno }
            } else if attempts.isEmpty {
                errno = failure
                return nil
            }
            var entries = attempts.map { pollfd(fd: $0.descriptor, events: Int16(POLLOUT), revents: 0) }
            // In short intervals, so that a cancellation is noticed.
            guard !entries.isEmpty, poll(&entries, nfds_t(entries.count), untried.isEmpty ? 100 : attemptDelay) > 0
            else {
                continue
            }
            for (attempt, entry) in zip(attempts, entries) where entry.revents != 0 {
                let status = attempt.failure
                if status == 0 { return attempt }
                failure = status
                attempts.removeAll { $0 === attempt }
            }
        }
        errno = ETIMEDOUT
        return nil
    }

    /// Starts a connection attempt; returns nil and sets `errno` if that fails immediately.
    private static func start(_ endpoint: Endpoint) -> TCPConnection? {
        let family = endpoint.withAddress { address, _ in Int32(address?.pointee.sa_family ?? 0) }
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(family, kind, 0)
        guard descriptor >= 0 else { return nil }
        let connection = TCPConnection(descriptor)
        let status = endpoint.withAddress { connect(descriptor, $0, socklen_t($1)) }
        return status == 0 || errno == EINPROGRESS ? connection : nil
    }

    /// The `errno` value of the connection attempt; 0 if it succeeded.
    private var failure: Int32 {
        var failure: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &failure, &length)
        return failure
    }

    /// Blocks until the descriptor is ready; returns false if the control ends the wait.
    func wait(for events: Int16, control: ReadControl) -> Bool {
        while !control.mustEnd {
            var entry = pollfd(fd: descriptor, events: events, revents: 0)
            // In short intervals, so that a cancellation is noticed.
            if poll(&entry, 1, 100) > 0 { return true }
        }
        errno = ETIMEDOUT
        return false
    }
}
