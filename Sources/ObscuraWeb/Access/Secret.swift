// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A word that a client must know. It never shows in a description, so that no log and no error holds it by accident.
package struct Secret: Sendable, CustomStringConvertible, CustomReflectable {
    private let bytes: [UInt8]

    package init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// Whether `guess` is the secret. How long it takes depends on the length of neither what is equal nor the guess:
    /// each byte of the secret is looked at each time.
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
