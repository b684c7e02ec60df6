// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The rule for passwords that protect a network port of this machine, where many guesses are possible.
package enum NetworkPassword {
    /// The minimum length, in characters.
    package static let minimumLength = 8

    package static func isLongEnough(_ password: String) -> Bool { password.count >= minimumLength }
}
