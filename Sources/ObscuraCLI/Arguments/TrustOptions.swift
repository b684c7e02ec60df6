// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

/// Whose certificates a source at an address may have.
struct TrustOptions: ParsableArguments {
    @Option(
        name: .customLong("source-ca"),
        help: ArgumentHelp(
            "Who signed the certificate of the source, if the system does not know: a PEM file.",
            discussion: "For a camera with a certificate of its own, that certificate.", valueName: "file"))
    var authorities: String?

    @Flag(
        name: .customLong("insecure-source"),
        help: "Check no certificate of the source: whoever is on the way can read its password.")
    var isUnverified = false

    func validate() throws {
        if isUnverified, authorities != nil {
            throw ValidationError("With --insecure-source nothing is checked by --source-ca. Give one of them.")
        }
    }

    var trust: ServerTrust {
        if isUnverified { return .unverified }
        return authorities.map { .authorities(path: $0) } ?? .system
    }
}

extension MovieReadingOptions {
    /// The defaults, but for whose certificates a server may have.
    init(trust: ServerTrust) {
        self.init()
        self.trust = trust
    }
}
