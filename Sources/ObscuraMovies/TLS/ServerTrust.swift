// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

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
