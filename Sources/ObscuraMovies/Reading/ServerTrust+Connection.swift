// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraBase
internal import ObscuraFFmpeg
internal import ObscuraMedia

extension ServerTrust {
    /// - Throws: ``ObscuraError`` if servers with this scheme cannot be verified as required.
    func check(_ scheme: MovieLocation.Scheme, hasPassword: Bool, _ subject: String) throws(ObscuraError) {
        if case .fingerprint = self, !scheme.isSecure {
            throw ObscuraError(
                .movies, .certificateNotTrusted, subject: subject,
                reason: "a fingerprint cannot be verified, because \(scheme.rawValue):// does not use certificates",
                advice: "Use an https:// or rtmps:// address.")
        }
        guard scheme.isSecure, self != .unverified else { return }
        if case .authorities(let path) = self, access(path, R_OK) != 0 {
            throw ObscuraError(.last, reading: path, domain: .movies)
        }
        let lack: String? =
            switch scheme {
            case .rtsps: "FFmpeg does not verify the certificates of RTSP servers"
            case .rtmps where hasPassword:
                "FFmpeg does not verify the certificates of RTMP servers that require a password"
            default: TLSSupport.checksNames ? nil : "the installed FFmpeg does not verify host names in certificates"
            }
        guard let lack else { return }
        throw ObscuraError(
            .movies, .certificateNotTrusted, subject: subject, reason: "it was not opened, because \(lack)",
            remedy: .allowUnverifiedSource)
    }

    /// Fetches the server's certificate and compares its fingerprint; returns nil if no fingerprint is specified.
    /// Blocks until the control's deadline at most.
    func pinned(_ url: String, subject: String, control: ReadControl) throws(ObscuraError) -> PinnedCertificate? {
        guard case .fingerprint(let fingerprint) = self else { return nil }
        guard let place = NetworkAddress(url)?.hostAndPort, !place.host.isEmpty else {
            throw ObscuraError(
                .movies, .notFound, subject: subject, reason: "the address has no host or an invalid port")
        }
        return try PinnedCertificate(
            fingerprint, of: place.host, port: place.port ?? 443, subject: subject, control: control)
    }

    /// FFmpeg's options for each connection, unless ``pinned(_:subject:control:)`` returns a certificate.
    var options: [String: String] {
        switch self {
        case .system: ["tls_verify": "1"]
        case .authorities(let path): ["tls_verify": "1", "ca_file": path]
        // Accepts no certificate.
        case .fingerprint: ["tls_verify": "1", "ca_file": "/dev/null"]
        case .unverified: [:]
        }
    }
}
