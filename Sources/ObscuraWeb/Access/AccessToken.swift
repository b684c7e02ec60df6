// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraMedia

/// The access token that a browser or script must present.
///
/// Descriptions do not contain the token, so that it cannot appear in logs or errors by accident.
package struct AccessToken: Sendable, CustomStringConvertible, CustomReflectable {
    /// The text of the token in the query, the cookie and the header.
    package let text: String
    private let secret: Secret

    /// Creates a token from 32 bytes of the system's random number generator.
    package init() {
        var generator = SystemRandomNumberGenerator()
        let random = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        self.init(unchecked: Self.base64url(random))
    }

    /// Creates a token with a text chosen by the owner.
    package init(chosen text: String) throws(ObscuraError) {
        guard text.utf8.count >= 16, text.utf8.count <= 256 else {
            throw .invalidToken("it must have 16 to 256 characters, not \(text.utf8.count)")
        }
        // These characters need no escapes in URLs, cookies or headers.
        guard text.utf8.allSatisfy({ Self.isLetterOrDigit($0) || "-._~".utf8.contains($0) }) else {
            throw .invalidToken("it contains characters other than letters, digits, '-', '.', '_' and '~'")
        }
        self.init(unchecked: text)
    }

    private init(unchecked text: String) {
        self.text = text
        secret = Secret(text)
    }

    /// Whether `guess` equals the token; see ``Secret/matches(_:)``.
    package func matches(_ guess: some StringProtocol) -> Bool { secret.matches(guess.utf8) }

    package var description: String { "AccessToken" }
    package var customMirror: Mirror { Mirror(self, children: []) }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    /// Encodes by RFC 4648, section 5, without padding.
    private static func base64url(_ bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".unicodeScalars)
        var text = ""
        var bits = 0
        var count = 0
        for byte in bytes {
            bits = (bits << 8 | Int(byte)) & 0xFFFF
            count += 8
            while count >= 6 {
                count -= 6
                text.unicodeScalars.append(alphabet[bits >> count & 63])
            }
        }
        if count > 0 { text.unicodeScalars.append(alphabet[bits << (6 - count) & 63]) }
        return text
    }
}

extension ObscuraError {
    fileprivate static func invalidToken(_ reason: String) -> ObscuraError {
        ObscuraError(
            .server, .invalidRequest, subject: "access token", reason: reason,
            advice: "Use 16 to 256 letters, digits, '-', '.', '_' or '~', or give no token to generate one.")
    }
}
