// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase

/// The SHA-256 fingerprint of a server certificate (of its DER encoding).
///
/// ```swift
/// let fingerprint = CertificateFingerprint("5B:9C:…:41")
/// ```
public struct CertificateFingerprint: Sendable, Hashable, CustomStringConvertible {
    /// The 32 bytes of the hash.
    public let bytes: [UInt8]

    /// Parses a fingerprint. Returns nil unless the text is a SHA-256 fingerprint.
    ///
    /// - Parameter text: 64 hexadecimal digits, optionally separated by colons or spaces, and optionally after
    /// `SHA256:`, as shown by browsers and by `openssl x509 -fingerprint -sha256`.
    public init?(_ text: some StringProtocol) {
        var rest = text.uppercased()[...]
        for prefix in ["SHA256 FINGERPRINT=", "SHA256:"] where rest.hasPrefix(prefix) {
            rest = rest.dropFirst(prefix.count)
        }
        let digits = rest.filter { $0 != ":" && $0 != " " }.map { $0.isASCII ? $0.hexDigitValue : nil }
        guard digits.count == 64 else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: 64, by: 2) {
            guard let high = digits[index], let low = digits[index + 1] else { return nil }
            bytes.append(UInt8(high << 4 | low))
        }
        self.bytes = bytes
    }

    /// - Parameter bytes: the 32 bytes of the hash.
    init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// The fingerprint as text, in the form `5B:9C:…:41`.
    public var description: String {
        bytes.map { $0.zeroPadded(to: 2, radix: 16, uppercase: true) }.joined(separator: ":")
    }
}
