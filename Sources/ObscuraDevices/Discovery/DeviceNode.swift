// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraCapture

/// A node of a capture device as sysfs describes it.
protocol DeviceNode: Sendable {
    /// The folder in sysfs that lists the nodes of the kind.
    static var folder: String { get }

    /// Creates the node with this name in ``folder``; nil for a node of another kind, or without a device.
    init?(_ systemName: String, in tree: FileTree)

    /// The name in sysfs, such as `video0`.
    var systemName: String { get }
    /// The sort key of the kernel's order.
    var order: (Int, Int) { get }
    /// The path, such as `/dev/video0`.
    var path: String { get }
    /// All paths that identify it, ``path`` included.
    var paths: [String] { get }
    /// The name of a virtual device, given by its creator; may be empty.
    var label: String { get }
    /// The end of a name that distinguishes it from the other nodes of its device.
    var suffix: String { get }
    /// The place on the bus; nil for a virtual device. See ``BusPath``.
    var busPath: String? { get }
    /// The descriptors of a USB device.
    var usb: USBDescription? { get }
    /// Whether it is software, such as a loopback.
    var isVirtual: Bool { get }
}

extension DeviceNode {
    /// Returns the nodes of the machine, in the kernel's order. Reads sysfs only.
    static func all(in tree: FileTree) -> [Self] {
        (tree.names(in: folder) ?? []).compactMap { Self($0, in: tree) }
            .sorted { ($0.order.0, $0.order.1, $0.systemName) < ($1.order.0, $1.order.1, $1.systemName) }
    }

    var paths: [String] { [path] }

    var deviceType: CaptureDevice.DeviceType {
        if isVirtual { return .virtual }
        guard let usb else { return .camera }
        return usb.isFixed ? .camera : .external
    }
}
