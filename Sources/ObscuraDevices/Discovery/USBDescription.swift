// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// What the USB device of a node says of itself in its descriptors.
struct USBDescription: Sendable, Hashable {
    /// Four digits, such as `046d`.
    let vendorID: String
    let productID: String
    /// The texts as they stand in the descriptors; nil where the device has none.
    let manufacturer: [UInt8]?
    let product: [UInt8]?
    let serial: [UInt8]?
    /// The number of the interface that the node belongs to.
    let interface: Int?
    /// Where the device stands in sysfs: two nodes with the same one are of the same device.
    let devicePath: String
    /// Whether the firmware says that nobody can unplug it, as in a laptop's lid.
    let isFixed: Bool

    /// The USB device above `path` of sysfs, if there is one.
    init?(above path: String, in tree: FileTree) {
        var device = path
        var interface: Int?
        while tree.text(of: device + "/idVendor") == nil {
            if let text = tree.text(of: device + "/bInterfaceNumber") { interface = Int(text, radix: 16) }
            guard let parent = BusPath.parent(of: device) else { return nil }
            device = parent
        }
        guard let vendorID = tree.text(of: device + "/idVendor").flatMap(Self.number),
            let productID = tree.text(of: device + "/idProduct").flatMap(Self.number)
        else { return nil }
        self.vendorID = vendorID
        self.productID = productID
        self.interface = interface
        devicePath = device
        manufacturer = Self.attribute(device + "/manufacturer", tree)
        product = Self.attribute(device + "/product", tree)
        serial = Self.attribute(device + "/serial", tree)
        isFixed = tree.text(of: device + "/removable") == "fixed"
    }

    /// `046d:0825`, the same for all devices of a model.
    var modelID: String { "\(vendorID):\(productID)" }

    /// The product's name for people.
    var productName: String? {
        let name = product.map { DeviceName.shown(String(decoding: $0, as: UTF8.self)) }
        return name.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The maker's name for people.
    var manufacturerName: String? {
        let name = manufacturer.map { DeviceName.shown(String(decoding: $0, as: UTF8.self)) }
        return name.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// `usb-VENDOR_PRODUCT_SERIAL`, as udev names the links in `/dev/v4l/by-id`; nil where no serial number
    /// tells this device from another of its model.
    var serialName: String? {
        guard let serial = usableSerial else { return nil }
        return "\(modelName)_\(serial)"
    }

    /// `usb-VENDOR_PRODUCT`, as udev names a device without a serial number.
    var modelName: String {
        let vendor = DeviceName.part(manufacturer ?? [])
        let product = DeviceName.part(product ?? [])
        return "usb-\(vendor.isEmpty ? vendorID : vendor)_\(product.isEmpty ? productID : product)"
    }

    /// Like udev, takes no serial number with a comma or with bytes that are not printable ASCII. One of
    /// zeros alone is none either: it stands in every device of the model.
    private var usableSerial: String? {
        guard let serial, !serial.contains(where: { $0 < 0x20 || $0 > 0x7f || $0 == UInt8(ascii: ",") }) else {
            return nil
        }
        let name = DeviceName.part(serial)
        return name.allSatisfy { $0 == "0" || $0 == "_" } ? nil : name
    }

    private static func number(_ text: String) -> String? {
        text.utf8.count == 4 && text.allSatisfy { $0.isASCII && $0.isHexDigit } ? text.lowercased() : nil
    }

    /// Without the line's end that sysfs adds.
    private static func attribute(_ path: String, _ tree: FileTree) -> [UInt8]? {
        guard var bytes = tree.bytes(of: path) else { return nil }
        while bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        return bytes.isEmpty ? nil : bytes
    }
}
