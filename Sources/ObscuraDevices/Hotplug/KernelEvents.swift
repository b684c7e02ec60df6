// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CV4L2
internal import Glibc

/// A socket on which the kernel tells of devices (netlink, NETLINK_KOBJECT_UEVENT). Needs no right and no udev.
/// In a container it may be silent.
///
/// `Sendable`: the descriptor is constant, and each call of the kernel stands for itself.
final class KernelEvents: Sendable {
    let descriptor: Int32
    private let subsystem: String
    /// The group to which the kernel itself sends; udev's is 2.
    private static let kernelGroup: UInt32 = 1

    /// Nil where the system does not give it.
    ///
    /// - Parameter subsystem: the kind of devices that it is asked for, such as `video4linux`.
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

    /// Takes everything that waits. Returns whether the nodes may have changed; also when so much came
    /// that the kernel dropped some of it (ENOBUFS).
    func drain() -> Bool {
        var isAboutOurs = false
        var buffer = [UInt8](repeating: 0, count: 16384)
        // A storm of events must not hold the thread: what is left wakes it again.
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
                return isAboutOurs || errno == ENOBUFS
            }
            // Other processes may write to the socket; only the kernel's port is 0.
            guard address.nl_pid == 0 else { continue }
            isAboutOurs = isAboutOurs || KernelEvent(buffer.prefix(count))?.subsystem == subsystem
        }
        return true
    }
}

private let socketFlags = Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
