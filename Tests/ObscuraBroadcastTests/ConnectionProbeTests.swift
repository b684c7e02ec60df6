// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Glibc
import Testing

@testable import ObscuraBroadcast

/// Probes find the connections of their own destinations, real ones on loopback.
struct ConnectionProbeTests {
    /// A listening port, which accepts connections in its backlog.
    private final class Port {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let number: Int
        private var connections: [Int32] = []

        init() {
            var address = sockaddr_in()
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
            let listener = listener
            number = withUnsafeMutableBytes(of: &address) { bytes in
                let address = bytes.bindMemory(to: sockaddr.self).baseAddress
                bind(listener, address, size)
                listen(listener, 8)
                getsockname(listener, address, &size)
                return Int(bytes[2]) << 8 | Int(bytes[3])
            }
        }

        /// Connects, with the lowest free descriptor number from `minimum` on.
        func connection(from minimum: Int32 = 0) -> Int32 {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
            address.sin_port = in_port_t(number).bigEndian
            let opened = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            let descriptor = fcntl(opened, F_DUPFD, minimum)
            close(opened)
            withUnsafeBytes(of: &address) { bytes in
                let address = bytes.bindMemory(to: sockaddr.self).baseAddress
                #expect(connect(descriptor, address, socklen_t(bytes.count)) == 0)
            }
            connections.append(descriptor)
            return descriptor
        }

        deinit {
            for descriptor in connections + [listener] { close(descriptor) }
        }
    }

    @Test
    func `A connection that existed when another probe began is not the other's`() throws {
        let port = Port()
        let (first, second): (ConnectionProbe, ConnectionProbe)
        first = ConnectionProbe(toPort: port.number)
        let firsts = port.connection(from: 500)
        second = ConnectionProbe(toPort: port.number)
        // Its number is lower, which alone would make it the first's.
        let seconds = port.connection(from: 400)
        first.observe()
        #expect(first.descriptor == firsts)
        second.observe()
        #expect(second.descriptor == seconds)
        #expect(first.path.roundTrip != nil && second.path.roundTrip != nil)
    }

    @Test
    func `Of four, each probe observes a connection`() {
        let port = Port()
        let one = ConnectionProbe(toPort: port.number)
        let two = ConnectionProbe(toPort: port.number)
        _ = (port.connection(from: 430), port.connection(from: 420))
        let three = ConnectionProbe(toPort: port.number)
        _ = port.connection(from: 410)
        let four = ConnectionProbe(toPort: port.number)
        let last = port.connection(from: 400)
        for probe in [one, two, three, four] { probe.observe() }
        #expect(four.descriptor == last)
        #expect(Set([one, two, three, four].compactMap(\.descriptor)).count == 4)
    }

    @Test
    func `Connections that existed before, and those that another probe observes, are left alone`() {
        let port = Port()
        _ = port.connection()
        let probe = ConnectionProbe(toPort: port.number)
        probe.observe()
        #expect(probe.descriptor == nil && probe.path == NetworkPath())
        let opened = port.connection()
        // A probe that found nothing searches again.
        _ = probe.path
        #expect(probe.descriptor == opened)
        let other = ConnectionProbe(toPort: port.number)
        other.observe()
        #expect(other.descriptor == nil)
    }
}
