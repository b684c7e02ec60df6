// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CV4L2
internal import Glibc
internal import ObscuraCapture
internal import ObscuraMedia

/// A descriptor that becomes readable when it is signaled, for threads that also wait for a device.
final class EventFD: Sendable {
    let descriptor: Int32

    init(_ subject: String) throws(ObscuraError) {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard descriptor >= 0 else { throw .system(errno, subject, "no event descriptor can be created") }
    }

    deinit {
        close(descriptor)
    }

    /// Ends all current and future waits, until ``clear()``. On any thread, any number of times.
    func signal() {
        _ = eventfd_write(descriptor, 1)
    }

    /// Ends the effect of earlier signals on future waits. Returns whether there were any.
    @discardableResult
    func clear() -> Bool {
        var count: UInt64 = 0
        return eventfd_read(descriptor, &count) == 0
    }

    /// The result of a wait.
    enum Wait: Sendable, Hashable {
        /// The descriptor that was passed to the wait is readable.
        case ready
        /// The descriptor that was passed to the wait has an event (POLLPRI), and may also be readable.
        case event
        /// The descriptor that was passed to the wait is in an error state.
        case failed
        case signaled
        case timedOut
    }

    /// Blocks until `other` is readable, this is signaled, or the deadline has passed.
    ///
    /// - Parameters:
    ///   - other: another descriptor; nil to wait for the signal only.
    ///   - noticesEvents: whether an event of the other descriptor (POLLPRI) ends the wait as well.
    func wait(with other: Int32?, noticesEvents: Bool = false, until deadline: HostTime) -> Wait {
        let awaited = Int16(POLLIN) | (noticesEvents ? Int16(POLLPRI) : 0)
        // Not in an array, which each frame would allocate.
        var entries: InlineArray = [
            pollfd(fd: other ?? -1, events: awaited, revents: 0),
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        ]
        var span = entries.mutableSpan
        let wait = wait(withAll: &span, until: deadline)
        guard wait == .ready else { return wait }
        let happened = entries[0].revents
        if noticesEvents, happened & Int16(POLLPRI) != 0 { return .event }
        return happened & Int16(POLLIN) == 0 ? .failed : .ready
    }

    /// Blocks until one of the others has a requested event or an error (both are `ready`; see `revents`), this is
    /// signaled, or the deadline has passed.
    func wait(withAny others: inout [pollfd], until deadline: HostTime) -> Wait {
        // At the end of the same array, which is not copied.
        others.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
        defer { others.removeLast() }
        var span = others.mutableSpan
        return wait(withAll: &span, until: deadline)
    }

    /// - Parameter entries: the descriptors; this one is the last.
    private func wait(withAll entries: inout MutableSpan<pollfd>, until deadline: HostTime) -> Wait {
        while true {
            let status = entries.withUnsafeMutableBufferPointer { entries in
                poll(entries.baseAddress, nfds_t(entries.count), deadline.milliseconds(after: .now))
            }
            if status < 0, errno == EINTR { continue }
            if entries[entries.count - 1].revents != 0 { return .signaled }
            return entries.indices.contains { entries[$0].revents != 0 } ? .ready : .timedOut
        }
    }
}

extension HostTime {
    /// Returns the time from `now` to this moment, as a time limit for the kernel. Rounded up, since a wait that ends too
    /// early would be repeated in a busy loop.
    func milliseconds(after now: HostTime) -> Int32 {
        let left = max(0, nanoseconds(since: now))
        return Int32(clamping: left / 1_000_000 + (left % 1_000_000 > 0 ? 1 : 0))
    }
}
