// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CV4L2
internal import Glibc
internal import ObscuraCapture
internal import ObscuraMedia

/// The descriptors that a thread waits for with each frame (epoll). The kernel keeps the set between the waits; with
/// `poll` it would enter and leave the queues of all of them each time.
final class EventPoll {
    private let descriptor: Int32
    private let subject: String
    // For one thread, so that the runtime's exclusivity checks would be redundant.
    /// One for each descriptor; a wait writes the first ``readyCount``.
    @exclusivity(unchecked) private var events: [epoll_event] = []
    @exclusivity(unchecked) private var readyCount = 0

    /// Creates an empty set.
    ///
    /// - Parameter subject: what errors name.
    init(_ subject: String) throws(ObscuraError) {
        self.subject = subject
        descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard descriptor >= 0 else {
            throw .system(errno, subject, "no descriptor can be created that waits for others")
        }
    }

    deinit {
        close(descriptor)
    }

    /// Adds a descriptor: waits end while it is readable, or has failed. It must remain open as long as this.
    func add(_ other: Int32) throws(ObscuraError) {
        try add(other, EPOLLIN.rawValue)
    }

    /// Adds an event descriptor: a wait ends after each signal, so that nothing needs to be cleared.
    func add(signalsOf other: EventFD) throws(ObscuraError) {
        try add(other.descriptor, EPOLLIN.rawValue | EPOLLET.rawValue)
    }

    private func add(_ other: Int32, _ awaited: UInt32) throws(ObscuraError) {
        var event = epoll_event(events: awaited, data: epoll_data_t(fd: other))
        guard epoll_ctl(descriptor, EPOLL_CTL_ADD, other, &event) == 0 else {
            throw .system(errno, subject, "a descriptor cannot be awaited")
        }
        events.append(event)
    }

    /// Blocks until a descriptor is readable, has failed, or was signaled; see ``isReady(_:)``. Returns false if the
    /// deadline has passed first.
    func wait(until deadline: HostTime) -> Bool {
        while true {
            let count = epoll_wait(descriptor, &events, Int32(events.count), deadline.milliseconds(after: .now))
            if count < 0, errno == EINTR { continue }
            readyCount = max(0, Int(count))
            return readyCount > 0
        }
    }

    /// Whether a descriptor was ready at the end of the last wait.
    func isReady(_ other: Int32) -> Bool {
        events.prefix(readyCount).contains { $0.data.fd == other }
    }
}
