// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The server certificates that are accepted when a movie is read over TLS (`https`, `rtmps`).
///
/// With ``system`` and `authorities(path:)`, the certificate must also match the host name or IP address in the URL;
/// otherwise a password in the URL could be sent to a different server.
///
/// FFmpeg does not verify certificates for `rtsps`, for DASH, and for `rtmps` with a user name and a password. Reading
/// such a URL requires ``unverified``.
public enum ServerTrust: Sendable, Hashable {
    /// Certificates signed by the certificate authorities of this system.
    case system
    /// Certificates signed by the authorities in this PEM file. The file can also contain the certificate of a single
    /// server.
    case authorities(path: String)
    /// The certificate with this fingerprint, regardless of its issuer and its host name: for cameras with a
    /// self-signed certificate. Expired certificates and addresses without TLS are rejected.
    case fingerprint(CertificateFingerprint)
    /// Any certificate. Insecure: an attacker on the network can read the password and change the frames.
    case unverified
}
