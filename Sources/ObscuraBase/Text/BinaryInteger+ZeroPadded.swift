// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

extension BinaryInteger {
    /// Returns the digits of a nonnegative number, padded with zeros to this width.
    package func zeroPadded(to width: Int, radix: Int = 10, uppercase: Bool = false) -> String {
        let digits = String(self, radix: radix, uppercase: uppercase)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
