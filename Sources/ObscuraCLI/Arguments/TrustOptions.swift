// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

/// The certificates to accept from a source with a URL.
struct TrustOptions: ParsableArguments {
    @Option(
        name: .customLong("source-ca"),
        help: ArgumentHelp(
            "PEM file with the certificate of the source, or of the authority that signed that certificate.",
            discussion: "Default: the certificate authorities of the system.", valueName: "file"))
    var authorities: String?

    @Option(
        name: .customLong("source-fingerprint"),
        help: ArgumentHelp(
            "SHA-256 fingerprint of the source's certificate (64 hexadecimal digits).",
            discussion:
                "For cameras with a self-signed certificate. A source with another certificate is rejected, and the "
                + "error shows the fingerprint of that certificate.", valueName: "fingerprint"),
        transform: { text in
            guard let fingerprint = CertificateFingerprint(text) else {
                throw ValidationError("A SHA-256 fingerprint has 64 hexadecimal digits.")
            }
            return fingerprint
        })
    var fingerprint: CertificateFingerprint?

    @Flag(
        name: .customLong("insecure-source"),
        help: ArgumentHelp(
            "Do not verify the source's certificate.",
            discussion: "Insecure: others on the network can read the password of the source."))
    var isUnverified = false

    func validate() throws {
        if isUnverified, authorities != nil || fingerprint != nil {
            throw ValidationError(
                "--insecure-source cannot be combined with --source-ca or --source-fingerprint.")
        }
        if authorities != nil, fingerprint != nil {
            throw ValidationError("--source-ca cannot be combined with --source-fingerprint.")
        }
    }

    var trust: ServerTrust {
        if isUnverified { return .unverified }
        if let fingerprint { return .fingerprint(fingerprint) }
        return authorities.map { .authorities(path: $0) } ?? .system
    }
}

extension MovieReadingOptions {
    /// Creates the default options with these trusted certificates.
    init(trust: ServerTrust) {
        self.init()
        self.trust = trust
    }
}
