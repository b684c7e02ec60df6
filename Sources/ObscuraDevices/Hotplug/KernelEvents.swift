// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CV4L2
internal import Glibc

/// A socket with the kernel's device events (netlink, NETLINK_KOBJECT_UEVENT). Needs neither permission nor udev. In a
/// container it may be silent.
///
/// `Sendable`: the descriptor is constant, and each system call is atomic.
final class KernelEvents: Sendable {
    let descriptor: Int32
    private let subsystem: String
    /// The multicast group of the kernel itself; udev's is 2.
    private static let kernelGroup: UInt32 = 1

    /// Opens the socket; nil if the system does not provide it.
    ///
    /// - Parameter subsystem: the kind of the relevant devices, such as `video4linux`.
    init?(subsystem: String) {
        let descriptor = socket(AF_NETLINK, Int32(SOCK_RAW.rawValue) | socketFlags, NETLINK_KOBJECT_UEVENT)
        guard descriptor >= 0 else { return nil }
        var address = sockaddr_nl()
        address.nl_family = sa_family_t(AF_NETLINK)
        address.nl_groups = Self.kernelGroup
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_nl>.size))
            }
        }
        guard status == 0 else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
        self.subsystem = subsystem
    }

    deinit {
        close(descriptor)
    }

    /// Reads all pending events. Returns whether the nodes may have changed; also if the kernel dropped events
    /// (ENOBUFS).
    func drain() -> Bool {
        var isRelevant = false
        var buffer = [UInt8](repeating: 0, count: 16384)
        // Limited, so that a flood of events does not block the thread; the rest wakes it again.
        for _ in 0..<256 {
            var address = sockaddr_nl()
            var size = socklen_t(MemoryLayout<sockaddr_nl>.size)
            let count = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    recvfrom(descriptor, &buffer, buffer.count, 0, $0, &size)
                }
            }
            if count < 0 {
                if errno == EINTR { continue }
                return isRelevant || errno == ENOBUFS
            }
            // Other processes can write to the socket; only the kernel's port is 0.
            guard address.nl_pid == 0 else { continue }
            isRelevant = isRelevant || KernelEvent(buffer.prefix(count))?.subsystem == subsystem
        }
        return true
    }
}

private let socketFlags = Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
