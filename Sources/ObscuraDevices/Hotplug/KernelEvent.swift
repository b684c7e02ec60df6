// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// What the kernel tells of one device, as text: `add@/devices/…`, then `KEY=VALUE`, with zeros between.
///
/// The form is that of the kernel's `kobject_uevent`. udev sends its own on another group, with a binary head;
/// they are not taken.
struct KernelEvent: Sendable, Hashable {
    /// Such as `add`, `remove`, `change`, `bind`.
    let action: String
    /// The kind of device, such as `video4linux` or `sound`.
    let subsystem: String
    /// The device's place below `/sys`.
    let devicePath: String

    /// Nil for bytes that are no such message.
    init?(_ message: some Collection<UInt8>) {
        let lines = message.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        guard let head = lines.first, let at = head.firstIndex(of: "@"), at != head.startIndex else { return nil }
        var values: [Substring: Substring] = [:]
        for line in lines.dropFirst() {
            guard let equals = line.firstIndex(of: "=") else { continue }
            // Of two values the first counts: those of the kernel stand before those of a driver.
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
