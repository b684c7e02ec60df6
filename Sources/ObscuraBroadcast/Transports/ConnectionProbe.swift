// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraBase
internal import ObscuraMedia
internal import Synchronization

/// The kernel's statistics of a TCP connection that a library has opened and does not expose.
///
/// The connection is found among the file descriptors of the process, by its remote port and because it did not exist
/// before. Of several, a probe takes the one that the fewest others can take: a connection that existed when another
/// probe began cannot be that probe's. Two that are opened at the same moment may be confused: each sender then observes
/// the connection of the other, which goes to the same server, and searches again when it has ended.
///
/// The library keeps ownership of the descriptor, so that it can end the connection. The descriptor's number may then
/// be reused for another file, which the inode of the socket reveals. One thread at a time.
final class ConnectionProbe {
    /// What all probes of the process know.
    private struct Registry {
        /// The observed connections.
        var claimed: Set<UInt64> = []
        /// The connections that existed before each probe that observes none yet.
        var known: [ObjectIdentifier: Set<UInt64>] = [:]
    }

    /// Maximum unsent data in the kernel, because data there can no longer be dropped.
    private static let unsentLimit: Int32 = 16 << 10
    private static let registry = Lock(Registry())

    private let port: Int
    private let known: Set<UInt64>
    private var connection: (descriptor: Int32, inode: UInt64)?

    /// The descriptor of the observed connection; nil if none is observed.
    var descriptor: Int32? { connection?.descriptor }

    /// Notes the current connections to this port, before a new one is opened.
    init(toPort port: Int) {
        let known = Set(Self.find(port).map(\.inode))
        (self.port, self.known) = (port, known)
        let name = ObjectIdentifier(self)
        Self.registry.withLock { $0.known[name] = known }
    }

    deinit {
        let name = ObjectIdentifier(self)
        release()
        Self.registry.withLock { $0.known[name] = nil }
    }

    /// Observes a connection to the port that was opened since and is not observed yet.
    func observe() {
        release()
        let candidates = Self.find(port).filter { !known.contains($0.inode) }
        let name = ObjectIdentifier(self)
        connection = Self.registry.withLock { registry in
            registry.known[name] = nil
            let others = registry.known.values
            // The first opened connection usually has the lowest number.
            let chosen = candidates.filter { !registry.claimed.contains($0.inode) }.min { one, other in
                let (first, second) = (
                    others.count { !$0.contains(one.inode) }, others.count { !$0.contains(other.inode) }
                )
                return (first, one.descriptor) < (second, other.descriptor)
            }
            if let chosen { registry.claimed.insert(chosen.inode) } else { registry.known[name] = known }
            return chosen
        }
        // linux/tcp.h: TCP_NOTSENT_LOWAT. The buffer for sent, unacknowledged data remains as large as the network
        // needs.
        set(25, to: Self.unsentLimit)
        // Small packets do not wait for the acknowledgement of earlier ones; not every library sets this.
        set(TCP_NODELAY, to: 1)
        // linux/tcp.h: TCP_THIN_LINEAR_TIMEOUTS. Retransmission timeouts stay constant instead of doubling (RFC 6298,
        // section 5.5), which would be too slow for a live stream.
        set(16, to: 1)
    }

    var path: NetworkPath {
        if !isThere { observe() }
        // linux/tcp.h: struct tcp_info, TCP_INFO.
        var info = [UInt32](repeating: 0, count: 64)
        var length = socklen_t(info.count * MemoryLayout<UInt32>.size)
        guard let connection, isThere,
            getsockopt(connection.descriptor, Int32(IPPROTO_TCP), 11, &info, &length) == 0, length >= 148
        else { return NetworkPath() }
        let (roundTrip, unsent) = (info[17], info[36])
        return NetworkPath(
            roundTrip: roundTrip > 0 ? .microseconds(Int64(roundTrip)) : nil, unsentBytes: Int(unsent))
    }

    private func release() {
        guard let connection else { return }
        _ = Self.registry.withLock { $0.claimed.remove(connection.inode) }
        self.connection = nil
    }

    /// Whether the descriptor is still this connection. If it is closed right after the check, reading fails or affects
    /// another socket, which does no harm.
    private var isThere: Bool { connection.map { Self.inode(of: $0.descriptor) == $0.inode } ?? false }

    private func set(_ option: Int32, to value: Int32) {
        var value = value
        guard let connection, isThere else { return }
        setsockopt(connection.descriptor, Int32(IPPROTO_TCP), option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func find(_ port: Int) -> [(descriptor: Int32, inode: UInt64)] {
        var found: [(descriptor: Int32, inode: UInt64)] = []
        guard let place = MemoryLayout<dirent>.offset(of: \.d_name), let folder = opendir("/proc/self/fd") else {
            return found
        }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            // The entry has only `d_reclen` bytes, fewer than its type: the name is read up to its terminator.
            let name = String(cString: UnsafeRawPointer(entry).advanced(by: place).assumingMemoryBound(to: CChar.self))
            // The number may be reused for another file meanwhile: then the inode or the port differs.
            guard let number = Int32(name), let inode = inode(of: number), peerPort(number) == port,
                self.inode(of: number) == inode
            else { continue }
            found.append((number, inode))
        }
        return found
    }

    private static func inode(of descriptor: Int32) -> UInt64? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? UInt64(status.st_ino) : nil
    }

    /// Returns the remote port of a TCP connection; nil for other descriptors.
    private static func peerPort(_ descriptor: Int32) -> Int? {
        var kind: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &kind, &length) == 0, kind == Int32(SOCK_STREAM.rawValue)
        else { return nil }
        var storage = sockaddr_storage()
        return withUnsafeMutableBytes(of: &storage) { bytes -> Int? in
            var size = socklen_t(bytes.count)
            guard getpeername(descriptor, bytes.bindMemory(to: sockaddr.self).baseAddress, &size) == 0 else {
                return nil
            }
            let family = Int32(bytes.load(as: sa_family_t.self))
            guard family == AF_INET || family == AF_INET6 else { return nil }
            // The port is at the same offset in both structures, in network byte order.
            return Int(bytes[2]) << 8 | Int(bytes[3])
        }
    }
}
