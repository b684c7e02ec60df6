// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

extension DeviceControl {
    /// Returns the name that `v4l2-ctl` derives from a driver's title: letters and digits in lower case, with one
    /// underscore for other characters in between. Empty without letters and digits.
    package static func name(of title: String) -> String {
        let words = title.utf8.split { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                false
            default: true
            }
        }
        return words.map { String(decoding: $0, as: UTF8.self).lowercased() }.joined(separator: "_")
    }
}
