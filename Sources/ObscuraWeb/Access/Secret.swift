// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A secret that clients must present. Descriptions do not contain it, so that it cannot appear in logs or errors by
/// accident.
package struct Secret: Sendable, CustomStringConvertible, CustomReflectable {
    private let bytes: [UInt8]

    package init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// Whether `guess` equals the secret. Each byte of the secret is always compared, so that the time depends neither
    /// on the length of the equal part nor on that of the guess.
    package func matches(_ guess: some Sequence<UInt8>) -> Bool {
        let guess = Array(guess.prefix(bytes.count + 1))
        var difference: UInt8 = guess.count == bytes.count ? 0 : 1
        for index in bytes.indices {
            difference |= bytes[index] ^ (index < guess.count ? guess[index] : 0)
        }
        return difference == 0
    }

    package var description: String { "Secret" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
