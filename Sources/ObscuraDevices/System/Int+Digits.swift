// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

extension Int {
    /// The number that the text consists of; nil for anything but ASCII digits, and beyond 32 bits, as the kernel
    /// counts.
    init?(digits text: some StringProtocol) {
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), let number = Int32(text)
        else { return nil }
        self = Int(number)
    }
}
