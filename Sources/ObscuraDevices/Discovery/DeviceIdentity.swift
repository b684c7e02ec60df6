// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase

/// A node as far as its names go.
protocol DeviceNode: Sendable {
    /// Its name in sysfs, such as `video0`.
    var systemName: String { get }
    /// What a device on no bus is called by whoever made it; may be empty.
    var label: String { get }
    /// What tells it from the other nodes of its device, as the end of a name.
    var suffix: String { get }
    /// Where the device hangs; see ``BusPath``.
    var busPath: String? { get }
    /// What the USB device says, if it is one.
    var usb: USBDescription? { get }
}

/// The names of a node that outlive a restart, computed from sysfs alone: the same with udev and without.
///
/// The shapes are those of udev's rules `60-persistent-v4l.rules`, so where udev runs, the unique id of a
/// camera on a bus is also the name of a link in `/dev/v4l/by-id` or `/dev/v4l/by-path`; those of microphones end
/// in `-pcmN` instead:
///
/// - `usb-VENDOR_PRODUCT_SERIAL-video-indexN`: a USB device with a serial number, on whatever port;
/// - `pci-0000:00:14.0-usb-0:1:1.0-video-index0`, `platform-vivid.0-video-index0`: the place on the bus;
/// - `virtual-NAME`: a device on no bus, by its name alone (v4l2loopback's `card_label`).
///
/// Two cameras of one model may bear the same serial number. While both are there, both go by their place.
/// Two functions of one device (colour and infrared) stay with its serial number and add the interface:
/// `usb-VENDOR_PRODUCT_SERIAL-if02-video-index0`. What is still equal is numbered, in the kernel's order.
///
/// So the unique id of a camera depends on who else is plugged in. Whether a camera is the one that was there
/// before is not asked of its id, but of the two parts that do not: ``lastingName`` and ``place``.
struct DeviceIdentity: Sendable, Hashable {
    let uniqueID: String
    /// Every name that the rules above could give, for who names a camera by another of them. Not unique.
    let names: Set<String>
    /// What the device brings along to whatever port, whoever else is there: its serial number and function, or
    /// the label of a virtual one. Nil for a device that has nothing of its own. A twin has the same.
    let lastingName: String?
    /// Where it is, and nobody else at the same moment: the place on the bus, or the node of a virtual one. Of several
    /// in one place, as those of one card may be, it also says which of how many, in the kernel's order: when the first
    /// of them goes, the next is not in its place, and who comes back is at home only when all are there.
    let place: String

    /// The identities of all nodes, in their order.
    static func identities(of nodes: [some DeviceNode]) -> [DeviceIdentity] {
        let first = nodes.map(\.preferredName)
        let twins = Dictionary(grouping: nodes.indices, by: { first[$0] }).filter { $1.count > 1 }
        var taken: Set<String> = []
        let crowds = Dictionary(grouping: nodes.indices) { nodes[$0].place }
        return nodes.indices.map { index in
            let node = nodes[index]
            var name = first[index]
            if let group = twins[name] { name = node.name(amongTwins: group.map { nodes[$0] }) }
            let uniqueID = numbered(name) { taken.contains($0) }
            taken.insert(uniqueID)
            var place = node.place
            if let crowd = crowds[place], crowd.count > 1, let position = crowd.firstIndex(of: index) {
                place += ", \(position + 1) of \(crowd.count)"
            }
            return DeviceIdentity(
                uniqueID: uniqueID, names: node.everyName.union([uniqueID]), lastingName: node.lastingName,
                place: place)
        }
    }

    /// The name, or the name and the first number from 2 with which it is not taken.
    private static func numbered(_ name: String, isTaken: (String) -> Bool) -> String {
        var result = name
        var number = 1
        while isTaken(result) {
            number += 1
            result = "\(name)-\(number)"
        }
        return result
    }
}

extension DeviceNode {
    private var serialName: String? { usb?.serialName.map { $0 + suffix } }

    private var placeName: String {
        if let busPath { return busPath + suffix }
        let label = DeviceName.part(label.utf8)
        return "virtual-\(label.isEmpty ? systemName : label)"
    }

    private var functionName: String? {
        guard let usb, let serial = usb.serialName, let interface = usb.interface else { return nil }
        return "\(serial)-if\(interface.zeroPadded(to: 2, radix: 16))\(suffix)"
    }

    fileprivate var lastingName: String? {
        functionName ?? serialName ?? (busPath == nil ? placeName : nil)
    }

    fileprivate var place: String { busPath.map { $0 + suffix } ?? "virtual-\(systemName)" }

    fileprivate var preferredName: String { serialName ?? placeName }

    fileprivate func name(amongTwins twins: [Self]) -> String {
        let isOneDevice = Set(twins.map(\.usb?.devicePath)).count == 1
        let areApart = Set(twins.map(\.functionName)).count == twins.count
        if isOneDevice, areApart, let functionName { return functionName }
        return placeName
    }

    fileprivate var everyName: Set<String> {
        Set([serialName, functionName, placeName, usb.map { $0.modelName + suffix }].compactMap { $0 })
    }
}
