// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The rule for passwords that open a port of this machine to a network: everybody there can try to guess them.
package enum NetworkPassword {
    /// In characters.
    package static let minimumLength = 8

    package static func isLongEnough(_ password: String) -> Bool { password.count >= minimumLength }
}
