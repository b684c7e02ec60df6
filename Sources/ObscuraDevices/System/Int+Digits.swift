// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

extension Int {
    /// Parses a number of ASCII digits only; nil for another text, and beyond 32 bits, the kernel's limit.
    init?(digits text: some StringProtocol) {
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), let number = Int32(text)
        else { return nil }
        self = Int(number)
    }
}
