// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import Glibc
internal import ObscuraBase
package import ObscuraMedia

/// A machine and a port on it, as the system's calls want them.
package struct Endpoint: Sendable {
    private let bytes: [UInt8]

    /// What the system knows of a name, or of an address in digits. Waits for the servers of names, but not beyond the
    /// control.
    ///
    /// - Parameter host: empty for all addresses of this machine.
    package static func resolve(
        _ host: String, port: Int, subject: String, control: ReadControl
    ) throws(ObscuraError) -> [Endpoint] {
        let answer = Lock<Result<[Endpoint], ObscuraError>?>(nil)
        // Nothing ends the system's call before its own time: whoever waits leaves it alone with its answer.
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
            .broadcast, .timedOut, subject: subject, reason: "nobody could say in time where \(host) is",
            advice: "Check that this machine can look names up, or give the address in digits.")
    }

    /// How long one wait is, before the control is looked at again.
    private static let glance = Duration.milliseconds(100)

    private static func lookUp(_ host: String, port: Int, subject: String) throws(ObscuraError) -> [Endpoint] {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
        hints.ai_flags = AI_NUMERICSERV | (host.isEmpty ? AI_PASSIVE : 0)
        // On all addresses: IPv4 alone, since one socket of libsrt takes one family.
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

    package func withAddress<R>(_ body: (UnsafePointer<sockaddr>?, Int32) -> R) -> R {
        bytes.withUnsafeBytes { body($0.bindMemory(to: sockaddr.self).baseAddress, Int32(clamping: bytes.count)) }
    }
}

extension ObscuraError {
    package static func hostNotFound(_ subject: String, _ host: String, _ words: String? = nil) -> ObscuraError {
        ObscuraError(
            .broadcast, .hostNotFound, subject: subject, reason: "there is no machine named \(host)",
            advice: "Check the name, and that this machine can look names up.", libraryMessage: words)
    }
}
