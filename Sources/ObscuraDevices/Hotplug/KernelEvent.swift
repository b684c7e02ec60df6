// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A kernel event of one device: `add@/devices/…`, then `KEY=VALUE`, separated by zeros.
///
/// The form is that of the kernel's `kobject_uevent`. udev's own events, on another group and with a binary header, are
/// rejected.
struct KernelEvent: Sendable, Hashable {
    /// The action, such as `add`, `remove`, `change`, `bind`.
    let action: String
    /// The kind of device, such as `video4linux` or `sound`.
    let subsystem: String
    /// The device's path below `/sys`.
    let devicePath: String

    /// Parses a message; nil for other messages.
    init?(_ message: some Collection<UInt8>) {
        let lines = message.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        guard let head = lines.first, let at = head.firstIndex(of: "@"), at != head.startIndex else { return nil }
        var values: [Substring: Substring] = [:]
        for line in lines.dropFirst() {
            guard let equals = line.firstIndex(of: "=") else { continue }
            // The first of several values counts: the kernel's precede those of a driver.
            let key = line[..<equals]
            if values[key] == nil { values[key] = line[line.index(after: equals)...] }
        }
        guard let action = values["ACTION"], let path = values["DEVPATH"], let subsystem = values["SUBSYSTEM"],
            head == "\(action)@\(path)"
        else { return nil }
        self.action = String(action)
        self.subsystem = String(subsystem)
        devicePath = String(path)
    }
}
