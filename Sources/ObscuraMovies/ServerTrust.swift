// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc

/// Whose certificates a server may have from which a movie is read by TLS (`https`, `rtmps`).
///
/// The certificate must also be for the name, or the address in digits, that stands in the address: else the password
/// in the address would go to a stranger. `rtsps` addresses are only read with ``unverified``: FFmpeg checks no
/// certificate there.
public enum ServerTrust: Sendable, Hashable {
    /// Those that the authorities of this system have signed.
    case system
    /// Those that the authorities in this file have signed, in the form PEM: a private authority, or the certificate of
    /// one server itself.
    case authorities(path: String)
    /// Any. Whoever is on the way can read the password and change the pictures.
    case unverified
}

extension ServerTrust {
    /// - Throws: ``MovieError`` where a server of this kind could not be checked as it should be.
    func check(_ scheme: MovieLocation.Scheme, _ subject: String) throws(MovieError) {
        switch self {
        case .unverified: return
        case .authorities(let path) where access(path, R_OK) != 0:
            throw .opening(path, errno: Glibc.errno)
        case .system, .authorities:
            guard scheme == .rtsps else { return }
            throw MovieError(
                .certificateNotTrusted, subject: subject,
                reason: "the certificates of servers of RTSP by TLS cannot be checked",
                advice:
                    "Where nobody else can be on the way, read it all the same (ServerTrust.unverified, --insecure).")
        }
    }

    /// FFmpeg's options for each connection.
    var options: [String: String] {
        switch self {
        case .system: ["tls_verify": "1"]
        case .authorities(let path): ["tls_verify": "1", "ca_file": path]
        case .unverified: [:]
        }
    }
}
