// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc

/// An address of this machine, and the network to which it is connected directly.
struct NetworkInterface {
    let address: IPAddress
    let mask: IPAddress

    /// Those of all interfaces; nil if the system does not tell.
    static var all: [NetworkInterface]? {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return nil }
        defer { freeifaddrs(list) }
        var interfaces: [NetworkInterface] = []
        var next = list
        while let interface = next?.pointee {
            if let address = numeric(interface.ifa_addr), let mask = numeric(interface.ifa_netmask) {
                interfaces.append(NetworkInterface(address: address, mask: mask))
            }
            next = interface.ifa_next
        }
        return interfaces
    }

    private static func numeric(_ address: UnsafeMutablePointer<sockaddr>?) -> IPAddress? {
        guard let address else { return nil }
        let size: Int
        switch Int32(address.pointee.sa_family) {
        case AF_INET: size = MemoryLayout<sockaddr_in>.size
        case AF_INET6: size = MemoryLayout<sockaddr_in6>.size
        default: return nil
        }
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        guard getnameinfo(address, socklen_t(size), &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0 else {
            return nil
        }
        // A zone may follow: fe80::1%eth0.
        let bytes = text.prefix { $0 != 0 && $0 != CChar(UInt8(ascii: "%")) }.map(UInt8.init(bitPattern:))
        return IPAddress(String(decoding: bytes, as: UTF8.self))
    }

    func contains(_ other: IPAddress) -> Bool {
        other.words.count == address.words.count && mask.words.count == address.words.count
            && zip(zip(other.words, address.words), mask.words).allSatisfy { ($0.0 ^ $0.1) & $1 == 0 }
    }
}

extension IPAddress {
    /// Whether the address belongs to this machine, or to a network to which it is connected directly. Without a list of
    /// the networks the safe answer is yes.
    package var isOnLink: Bool { NetworkInterface.all?.contains { $0.contains(self) } ?? true }
}
