// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Testing

@testable import ObscuraMovies

@Suite struct CertificateFingerprintTests {
    private static let digits = (0..<32).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }

    private static let joined = digits.joined()
    private static let colons = digits.joined(separator: ":")
    private static let short = String(joined.dropLast())

    @Test(arguments: [
        joined, joined.uppercased(), colons, digits.joined(separator: " "), "SHA256:\(joined)",
        "sha256 Fingerprint=\(colons)",
    ])
    func `It is read as browsers and openssl show it`(text: String) throws {
        let fingerprint = try #require(CertificateFingerprint(text))
        #expect(fingerprint.bytes == Array(0..<32))
        #expect(fingerprint.description == Self.colons.uppercased())
    }

    @Test(arguments: ["", short, "\(joined)0", "\(short)g", "\(short)٠", "SHA1:\(joined)"])
    func `Anything else is none`(text: String) {
        #expect(CertificateFingerprint(text) == nil)
    }
}
