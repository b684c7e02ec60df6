// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// What changed between two looks at the machine.
enum DeviceChange<Found: FoundDevice>: Sendable, Hashable {
    case connected(Found)
    case disconnected(Found)

    /// The changes in the order in which they are told: first what went, then what came. A device that has
    /// another node than before was away meanwhile. One with other rights is told as connected once more. One
    /// that only has another unique id, since its twin came or went, is told as nothing.
    static func changes(from old: [Found], to new: [Found]) -> [DeviceChange] {
        let gone = old.filter { device in !new.contains { isSame($0, device) } }
        let come = new.filter { device in
            !old.contains { isSame($0, device) && $0.authorization == device.authorization }
        }
        return gone.map(DeviceChange.disconnected) + come.map(DeviceChange.connected)
    }

    /// The device with the unique id by which it was told, so that it goes by the id with which it came.
    static func device(_ device: Found, asToldIn old: [Found]) -> Found {
        guard let told = old.first(where: { isSame($0, device) }) else { return device }
        var device = device
        device.uniqueID = told.uniqueID
        return device
    }

    private static func isSame(_ a: Found, _ b: Found) -> Bool {
        a.isSameDevice(as: b) && a.path == b.path
    }
}
