// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// Values are arrays of three 64-bit numbers, since values of other structures are not supported by Foundation on Linux.

extension NSValue {
    private static let timeType = "[3q]"

    /// Creates a value with a time.
    public convenience init(time: CMTime) {
        var time = time
        self.init(bytes: &time, objCType: Self.timeType)
    }

    /// The time of a value that was created by ``init(time:)``; invalid for other values.
    public var timeValue: CMTime {
        var time = CMTime.invalid
        // The description has the size of the value, which `objCType` leaks memory to tell.
        guard description == "\(MemoryLayout<CMTime>.size) bytes" else { return time }
        getValue(&time)
        return self == NSValue(time: time) ? time : .invalid
    }
}
