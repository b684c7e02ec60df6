// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import Glibc
internal import ObscuraBase
package import ObscuraMedia

/// A socket address: a host and a port, in the form that system calls take.
package struct Endpoint: Sendable {
    private let bytes: [UInt8]

    /// Resolves a host name or a numeric address. Blocks on name servers until the control's deadline at most.
    ///
    /// - Parameter host: empty for all addresses of this host.
    package static func resolve(
        _ host: String, port: Int, subject: String, control: ReadControl
    ) throws(ObscuraError) -> [Endpoint] {
        let answer = Lock<Result<[Endpoint], ObscuraError>?>(nil)
        // `getaddrinfo` cannot be interrupted; when the wait ends early, its thread finishes on its own.
        let isStarted = WorkerThread.detach(name: "names") {
            let found: Result<[Endpoint], ObscuraError>
            do throws(ObscuraError) {
                found = .success(try lookUp(host, port: port, subject: subject))
            } catch {
                found = .failure(error)
            }
            answer.withLockSignalling { $0 = found }
        }
        guard isStarted else { throw .outOfMemory(.broadcast, subject) }
        while !control.mustEnd {
            if let answer = answer.wait(until: .now + glance, for: { $0 }) { return try answer.get() }
        }
        guard !control.isCancelled else { throw .cancelled(.broadcast, subject) }
        throw ObscuraError(
            .broadcast, .timedOut, subject: subject, reason: "the host name \(host) was not resolved in time",
            advice: "Check that this machine can resolve host names, or use the numeric address.")
    }

    /// Interval between checks of the control during a wait.
    private static let glance = Duration.milliseconds(100)

    private static func lookUp(_ host: String, port: Int, subject: String) throws(ObscuraError) -> [Endpoint] {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
        hints.ai_flags = AI_NUMERICSERV | (host.isEmpty ? AI_PASSIVE : 0)
        // For all addresses: IPv4 only, because a libsrt socket uses one address family.
        if host.isEmpty { hints.ai_family = AF_INET }
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host.isEmpty ? nil : host, "\(port)", &hints, &list)
        defer { if list != nil { freeaddrinfo(list) } }
        guard status == 0 else { throw .hostNotFound(subject, host, String(cString: gai_strerror(status))) }
        var endpoints: [Endpoint] = []
        var next = list
        while let info = next?.pointee {
            if let address = info.ai_addr {
                endpoints.append(
                    Endpoint(bytes: Array(UnsafeRawBufferPointer(start: address, count: Int(info.ai_addrlen)))))
            }
            next = info.ai_next
        }
        guard !endpoints.isEmpty else { throw .hostNotFound(subject, host) }
        return endpoints
    }

    /// The address without its port, such as `192.0.2.1` or `2001:db8::1`; nil for an address of another family.
    package var numericHost: String? {
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let status = withAddress { address, length in
            getnameinfo(address, socklen_t(length), &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
        }
        return status == 0 ? String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }

    package func withAddress<R>(_ body: (UnsafePointer<sockaddr>?, Int32) -> R) -> R {
        bytes.withUnsafeBytes { body($0.bindMemory(to: sockaddr.self).baseAddress, Int32(clamping: bytes.count)) }
    }
}

extension ObscuraError {
    package static func hostNotFound(_ subject: String, _ host: String, _ words: String? = nil) -> ObscuraError {
        ObscuraError(
            .broadcast, .hostNotFound, subject: subject, reason: "the host name \(host) cannot be resolved",
            advice: "Check the name, and that this machine can resolve host names.", libraryMessage: words)
    }
}
