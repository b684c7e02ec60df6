// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraBase
internal import ObscuraMedia
internal import Synchronization

/// What the kernel knows of a TCP connection that a library has opened and does not show.
///
/// It is found among the descriptors of the process, by the port at its other end and by not having been there before.
/// Of two that are opened to the same port at the same moment, either may be found first: then each of two senders sees
/// how the other's goes, which is on the way to the same place, and looks for another when that has ended.
///
/// The descriptor stays the library's, so that the connection ends when the library ends it. Its number may then become
/// that of another file: the kernel's own number of the socket tells. One thread at a time.
final class ConnectionProbe {
    /// How much may wait in the kernel before more is taken: what is there can no longer be left out.
    private static let unsentLimit: Int32 = 16 << 10
    private static let claimed = Lock<Set<UInt64>>([])

    private let port: Int
    private let known: Set<UInt64>
    private var connection: (descriptor: Int32, inode: UInt64)?

    /// The connections to a port at this moment.
    static func connections(toPort port: Int) -> Set<UInt64> { Set(find(port).map(\.inode)) }

    /// Looks at a connection to this port at which nobody else looks.
    ///
    /// - Parameter known: those that there were before.
    init(toPort port: Int, besides known: Set<UInt64>) {
        (self.port, self.known) = (port, known)
        choose()
    }

    deinit {
        release()
    }

    var path: NetworkPath {
        if !isThere { choose() }
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

    private func choose() {
        release()
        // What was opened first has the lowest number, mostly.
        let candidates = Self.find(port).filter { !known.contains($0.inode) }.sorted { $0.descriptor < $1.descriptor }
        connection = Self.claimed.withLock { claimed in candidates.first { claimed.insert($0.inode).inserted } }
        // linux/tcp.h: TCP_NOTSENT_LOWAT. The room for what is sent and not yet acknowledged stays as large as the
        // network needs.
        set(25, to: Self.unsentLimit)
        // Nothing small waits for the acknowledgement of what went before; not every library says so by itself.
        set(TCP_NODELAY, to: 1)
        // linux/tcp.h: TCP_THIN_LINEAR_TIMEOUTS. What is lost again and again is repeated at an even pace, and not after
        // twice as long each time (RFC 6298, section 5.5): a live stream would be over by then.
        set(16, to: 1)
    }

    private func release() {
        guard let connection else { return }
        _ = Self.claimed.withLock { $0.remove(connection.inode) }
        self.connection = nil
    }

    /// A look or an option that comes a moment too late meets another socket, which it does not harm, or fails.
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
            // Of the entry only `d_reclen` bytes are there, fewer than its type has: the name is read up to its end.
            let name = String(cString: UnsafeRawPointer(entry).advanced(by: place).assumingMemoryBound(to: CChar.self))
            // It may become another file meanwhile: then one of the two numbers is not what it was.
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

    /// The port at the other end of a TCP connection; nil for what is none.
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
            // The port lies at the same place in both, in network order.
            return Int(bytes[2]) << 8 | Int(bytes[3])
        }
    }
}
