// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A difference between two scans of the machine.
enum DeviceChange: Sendable, Hashable {
    case connected(FoundDevice)
    case disconnected(FoundDevice)

    /// Returns the changes in the order of their reports: first disconnected, then connected devices. A device with
    /// another node was disconnected in between. One with another permission is reported as connected again. One that
    /// only has another unique id, because a duplicate was connected or disconnected, is not reported.
    static func changes(from old: [FoundDevice], to new: [FoundDevice]) -> [DeviceChange] {
        let removed = old.filter { device in !new.contains { isSame($0, device) } }
        let added = new.filter { device in
            !old.contains { isSame($0, device) && $0.authorization == device.authorization }
        }
        return removed.map(DeviceChange.disconnected) + added.map(DeviceChange.connected)
    }

    /// Returns the device with the unique id under which it was reported as connected.
    static func device(_ device: FoundDevice, asReportedIn old: [FoundDevice]) -> FoundDevice {
        guard let reported = old.first(where: { isSame($0, device) }) else { return device }
        var device = device
        device.uniqueID = reported.uniqueID
        return device
    }

    private static func isSame(_ a: FoundDevice, _ b: FoundDevice) -> Bool {
        a.isSameDevice(as: b) && a.path == b.path
    }
}
