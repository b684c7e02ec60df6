// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The rule for passwords that protect a port of this machine on a network, where they can be guessed by anyone.
package enum NetworkPassword {
    /// The minimum length, in characters.
    package static let minimumLength = 8

    package static func isLongEnough(_ password: String) -> Bool { password.count >= minimumLength }
}
