// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase

/// The names of a node that stay the same after a restart. They come from sysfs alone: the same with udev and without.
///
/// The forms are those of udev's rules `60-persistent-v4l.rules`: with udev, the unique id of a camera on a bus is also
/// the name of a link in `/dev/v4l/by-id` or `/dev/v4l/by-path`. Those of microphones end in `-pcmN` instead.
///
/// - `usb-VENDOR_PRODUCT_SERIAL-video-indexN`: a USB device with a serial number, on any port;
/// - `pci-0000:00:14.0-usb-0:1:1.0-video-index0`, `platform-vivid.0-video-index0`: the place on the bus;
/// - `virtual-NAME`: a device on no bus, by its name alone (v4l2loopback's `card_label`).
///
/// Two cameras of one model may have the same serial number. While both are connected, both are named by their places.
/// Two functions of one device (color and infrared) keep its serial number and add the interface:
/// `usb-VENDOR_PRODUCT_SERIAL-if02-video-index0`. Names that are still equal are numbered, in the kernel's order.
///
/// The unique id of a camera therefore depends on the other connected devices. ``lastingName`` and ``place`` do not;
/// they decide whether a device is the one that was connected before.
struct DeviceIdentity: Sendable, Hashable {
    let uniqueID: String
    /// All names of the forms above, for lookups. Not unique.
    let names: Set<String>
    /// The name that depends neither on the port nor on other devices: the serial number and function, or the label of
    /// a virtual device. Nil for a device that has neither. Duplicates have the same one.
    let lastingName: String?
    /// The place of this device alone: the place on the bus, or the node of a virtual device. If several devices share
    /// a place, such as those of one card, it includes the position in the kernel's order and the number of devices.
    /// When the first of them is removed, the next one does not take its place; a removed device has its place again
    /// only when all are connected.
    let place: String

    /// Returns the identities of all nodes, in their order.
    static func identities(of nodes: [some DeviceNode]) -> [DeviceIdentity] {
        let preferred = nodes.map(\.preferredName)
        let namesakes = Dictionary(grouping: nodes.indices) { preferred[$0] }
        let neighbors = Dictionary(grouping: nodes.indices) { nodes[$0].place }
        var taken: Set<String> = []
        return nodes.indices.map { index in
            let node = nodes[index]
            var name = preferred[index]
            if let group = namesakes[name], group.count > 1 { name = node.name(among: group.map { nodes[$0] }) }
            let uniqueID = numbered(name) { taken.contains($0) }
            taken.insert(uniqueID)
            var place = node.place
            if let group = neighbors[place], group.count > 1, let position = group.firstIndex(of: index) {
                place += ", \(position + 1) of \(group.count)"
            }
            return DeviceIdentity(
                uniqueID: uniqueID, names: node.allNames.union([uniqueID]), lastingName: node.lastingName,
                place: place)
        }
    }

    /// Returns the name, with the first free number from 2 appended if it is taken.
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

    fileprivate func name(among namesakes: [Self]) -> String {
        let isOneDevice = Set(namesakes.map(\.usb?.devicePath)).count == 1
        let functionsDiffer = Set(namesakes.map(\.functionName)).count == namesakes.count
        if isOneDevice, functionsDiffer, let functionName { return functionName }
        return placeName
    }

    fileprivate var allNames: Set<String> {
        Set([serialName, functionName, placeName, usb.map { $0.modelName + suffix }].compactMap { $0 })
    }
}
