// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CGnuTLS
internal import Glibc
internal import ObscuraBase
internal import ObscuraMedia

/// The certificate that a TLS server presents.
struct ServerCertificate: Sendable {
    let fingerprint: CertificateFingerprint
    /// The certificate in PEM form.
    let text: [UInt8]
    /// One of its host names or IP addresses; nil if it has none.
    let name: String?

    /// Fetches the certificate by a TLS handshake that verifies nothing and sends nothing but the host name. Blocks
    /// until the control's deadline at most.
    ///
    /// - Throws: ``ObscuraError``: `connectionFailed`, `timedOut`, `cancelled` and others.
    static func fetch(
        from host: String, port: Int, subject: String, control: ReadControl
    ) throws(ObscuraError) -> ServerCertificate {
        let endpoints: [Endpoint]
        do throws(ObscuraError) {
            endpoints = try Endpoint.resolve(host, port: port, subject: subject, control: control)
        } catch {
            if control.isCancelled { throw .cancelled(.movies, subject) }
            throw ObscuraError(
                .movies, error.code == .timedOut ? .timedOut : .connectionFailed, subject: subject,
                reason: error.reason,
                remedy: error.remedy)
        }
        guard let connection = TCPConnection.open(to: endpoints, control: control) else {
            throw .handshake(subject, SystemError.last.reason, control)
        }
        return try TLSHandshake(host: host, over: connection, control: control, subject: subject).certificate()
    }
}

/// A GnuTLS client session without verification. One thread at a time.
private final class TLSHandshake {
    private let session: gnutls_session_t
    private let credentials: gnutls_certificate_credentials_t
    private let connection: TCPConnection
    private let control: ReadControl
    private let subject: String

    init(
        host: String, over connection: TCPConnection, control: ReadControl, subject: String
    ) throws(ObscuraError) {
        self.connection = connection
        self.control = control
        self.subject = subject
        var madeSession: gnutls_session_t?
        var madeCredentials: gnutls_certificate_credentials_t?
        let flags = UInt32(GNUTLS_CLIENT) | UInt32(GNUTLS_NONBLOCK) | UInt32(GNUTLS_NO_SIGNAL)
        guard gnutls_init(&madeSession, flags) == 0, let madeSession else { throw .outOfMemory(.movies, subject) }
        guard gnutls_certificate_allocate_credentials(&madeCredentials) == 0, let madeCredentials else {
            gnutls_deinit(madeSession)
            throw .outOfMemory(.movies, subject)
        }
        session = madeSession
        credentials = madeCredentials
        guard gnutls_set_default_priority(session) == 0,
            gnutls_credentials_set(session, GNUTLS_CRD_CERTIFICATE, UnsafeMutableRawPointer(credentials)) == 0
        else { throw .outOfMemory(.movies, subject) }
        // IP addresses are not allowed there (RFC 6066, section 3).
        if IPAddress(host) == nil { gnutls_server_name_set(session, GNUTLS_NAME_DNS, host, host.utf8.count) }
        gnutls_transport_set_int2(session, connection.descriptor, connection.descriptor)
    }

    deinit {
        gnutls_deinit(session)
        gnutls_certificate_free_credentials(credentials)
    }

    func certificate() throws(ObscuraError) -> ServerCertificate {
        var status = gnutls_handshake(session)
        while status < 0 {
            // A server can send any number of warnings.
            guard gnutls_error_is_fatal(status) == 0, !control.mustEnd else {
                throw .handshake(subject, String(cString: gnutls_strerror(status)), control)
            }
            let events = gnutls_record_get_direction(session) == 0 ? POLLIN : POLLOUT
            if status == GNUTLS_E_AGAIN, !connection.wait(for: Int16(events), control: control) {
                throw .handshake(subject, SystemError(ETIMEDOUT).reason, control)
            }
            status = gnutls_handshake(session)
        }
        var count: UInt32 = 0
        guard let shown = gnutls_certificate_get_peers(session, &count), count > 0,
            let certificate = try X509Certificate(shown, subject: subject).described(shown)
        else { throw .handshake(subject, "the server sent no certificate", control) }
        return certificate
    }
}

/// A certificate of GnuTLS.
private final class X509Certificate {
    private let certificate: gnutls_x509_crt_t

    init(_ bytes: UnsafePointer<gnutls_datum_t>, subject: String) throws(ObscuraError) {
        var made: gnutls_x509_crt_t?
        guard gnutls_x509_crt_init(&made) == 0, let made else { throw .outOfMemory(.movies, subject) }
        certificate = made
        guard gnutls_x509_crt_import(made, bytes, GNUTLS_X509_FMT_DER) == 0 else {
            throw ObscuraError(
                .movies, .connectionFailed, subject: subject, reason: "the server's certificate is malformed")
        }
    }

    deinit {
        gnutls_x509_crt_deinit(certificate)
    }

    func described(_ bytes: UnsafePointer<gnutls_datum_t>) -> ServerCertificate? {
        var digest = [UInt8](repeating: 0, count: 32)
        var length = digest.count
        guard gnutls_fingerprint(GNUTLS_DIG_SHA256, bytes, &digest, &length) == 0, length == digest.count,
            let fingerprint = CertificateFingerprint(bytes: digest),
            let text = filled({ gnutls_x509_crt_export(certificate, GNUTLS_X509_FMT_PEM, $0, $1) })
        else { return nil }
        return ServerCertificate(fingerprint: fingerprint, text: text, name: name)
    }

    private var name: String? {
        var address: String?
        for index in 0..<UInt32(100) {
            var kind: Int32 = 0
            let value = filled { bytes, count in
                kind = gnutls_x509_crt_get_subject_alt_name(certificate, index, bytes, count, nil)
                return min(0, kind)
            }
            guard let value else { break }
            // Preferred to an address, because FFmpeg also sends it to the server as the host name.
            if kind == Int32(GNUTLS_SAN_DNSNAME.rawValue) {
                return Self.example(of: String(decoding: value, as: UTF8.self))
            }
            if kind == Int32(GNUTLS_SAN_IPADDRESS.rawValue) { address = address ?? Self.digits(value) }
        }
        if let address { return address }
        let common = filled { gnutls_x509_crt_get_dn_by_oid(certificate, GNUTLS_OID_X520_COMMON_NAME, 0, 0, $0, $1) }
        return common.map { Self.example(of: String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)) }
    }

    /// Returns a host name that matches the name, which may be a wildcard such as `*.example.com`.
    private static func example(of name: String) -> String { name.hasPrefix("*.") ? "x" + name.dropFirst() : name }

    private static func digits(_ bytes: [UInt8]) -> String? {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Returns the output of a GnuTLS function that reports the required size; nil if it fails.
    private func filled(_ body: (UnsafeMutableRawPointer?, UnsafeMutablePointer<Int>) -> Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 512)
        for _ in 0..<2 {
            var count = bytes.count
            let status = bytes.withUnsafeMutableBytes { body($0.baseAddress, &count) }
            if status == 0 { return Array(bytes.prefix(count)) }
            guard status == GNUTLS_E_SHORT_MEMORY_BUFFER, count <= 1 << 20 else { return nil }
            bytes = [UInt8](repeating: 0, count: count)
        }
        return nil
    }
}

extension ObscuraError {
    fileprivate static func handshake(_ subject: String, _ words: String, _ control: ReadControl) -> ObscuraError {
        if control.isCancelled { return .cancelled(.movies, subject) }
        guard !control.hasExpired else {
            return ObscuraError(
                .movies, .timedOut, subject: subject, reason: "the server's certificate could not be fetched in time",
                advice: "Check the address and the network, or allow more time.")
        }
        return ObscuraError(
            .movies, .connectionFailed, subject: subject,
            reason: "the server's certificate cannot be fetched: \(words.prefix(1).lowercased() + words.dropFirst())")
    }
}
