// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraMedia

/// Whose certificates a server may have from which a movie is read by TLS (`https`, `rtmps`).
///
/// The certificate must also be for the name, or the address in digits, that stands in the address: else the password
/// in the address would go to a stranger. What FFmpeg cannot check so is only read with ``unverified``: `rtsps`; DASH;
/// `rtmps` with a name and a password, for which it connects a second time without a check.
public enum ServerTrust: Sendable, Hashable {
    /// Those that the authorities of this system have signed.
    case system
    /// Those that the authorities in this file have signed, in the form PEM: a private authority, or the certificate of
    /// one server itself.
    case authorities(path: String)
    /// The certificate with this fingerprint, regardless of its issuer and its host name: for cameras with a
    /// self-signed certificate. Expired certificates and addresses without TLS are rejected.
    case fingerprint(CertificateFingerprint)
    /// Any. Whoever is on the way can read the password and change the pictures.
    case unverified
}

extension ServerTrust {
    /// - Throws: ``ObscuraError`` where a server of this kind could not be checked as it should be.
    func check(_ scheme: MovieLocation.Scheme, hasPassword: Bool, _ subject: String) throws(ObscuraError) {
        if case .fingerprint = self, !scheme.isSecure {
            throw ObscuraError(
                .movies, .certificateNotTrusted, subject: subject,
                reason: "\(scheme.rawValue):// has no certificates", advice: "Use an https:// or rtmps:// address.")
        }
        guard scheme.isSecure, self != .unverified else { return }
        if case .authorities(let path) = self, access(path, R_OK) != 0 { throw .opening(path, errno: Glibc.errno) }
        let lack: String? =
            switch scheme {
            case .rtsps: "FFmpeg checks no certificates of RTSP servers"
            case .rtmps where hasPassword: "FFmpeg checks no certificates of RTMP servers that ask for a password"
            default: TLSSupport.checksNames ? nil : "this FFmpeg does not check for whom a certificate is"
            }
        guard let lack else { return }
        throw ObscuraError(
            .movies, .certificateNotTrusted, subject: subject, reason: lack,
            remedy: .allowUnverifiedSource)
    }

    /// Fetches and compares the server's certificate; returns nil unless a fingerprint is given. Blocks until the
    /// control's deadline at most.
    func pinned(_ url: String, subject: String, control: ReadControl) throws(ObscuraError) -> PinnedCertificate? {
        guard case .fingerprint(let fingerprint) = self, let separator = url.firstRange(of: "://") else { return nil }
        let parts = AddressParts(url[separator.upperBound...])
        guard !parts.host.isEmpty, let port = parts.portText.isEmpty ? 443 : parts.port else {
            throw ObscuraError(
                .movies, .notFound, subject: subject, reason: "the address has no host or an invalid port")
        }
        return try PinnedCertificate(fingerprint, of: parts.host, port: port, subject: subject, control: control)
    }

    /// FFmpeg's options for each connection, unless ``pinned(_:subject:control:)`` returns a certificate.
    var options: [String: String] {
        switch self {
        case .system: ["tls_verify": "1"]
        case .authorities(let path): ["tls_verify": "1", "ca_file": path]
        // Trusts no certificate.
        case .fingerprint: ["tls_verify": "1", "ca_file": "/dev/null"]
        case .unverified: [:]
        }
    }
}
