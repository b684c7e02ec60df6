// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The USB descriptors of a node's device.
struct USBDescription: Sendable, Hashable {
    /// The vendor: four hexadecimal digits, such as `046d`.
    let vendorID: String
    let productID: String
    /// The raw text of the descriptors; nil if the device has none.
    let manufacturer: [UInt8]?
    let product: [UInt8]?
    let serial: [UInt8]?
    /// The number of the interface that the node belongs to.
    let interface: Int?
    /// The device's folder in sysfs; equal for nodes of one device.
    let devicePath: String
    /// Whether the firmware reports it as built in, as in a laptop's lid.
    let isFixed: Bool

    /// Reads the descriptors of the USB device above `path` in sysfs; nil if there is none.
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

    /// The vendor and product, such as `046d:0825`.
    var modelID: String { "\(vendorID):\(productID)" }

    /// The product's display name.
    var productName: String? {
        let name = product.map { DeviceName.shown(String(decoding: $0, as: UTF8.self)) }
        return name.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The manufacturer's display name.
    var manufacturerName: String? {
        let name = manufacturer.map { DeviceName.shown(String(decoding: $0, as: UTF8.self)) }
        return name.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// `usb-VENDOR_PRODUCT_SERIAL`, as udev names the links in `/dev/v4l/by-id`; nil without a usable serial number.
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

    /// The serial number; nil, as in udev, if it has a comma or bytes that are not printable ASCII. A serial number of
    /// zeros is the same in every device of the model, so it is not usable either.
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

    /// Returns the bytes of a file without the line feed that sysfs appends.
    private static func attribute(_ path: String, _ tree: FileTree) -> [UInt8]? {
        guard var bytes = tree.bytes(of: path) else { return nil }
        while bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        return bytes.isEmpty ? nil : bytes
    }
}
