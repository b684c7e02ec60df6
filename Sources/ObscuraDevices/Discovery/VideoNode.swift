// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A video node as sysfs describes it, without opening it.
struct VideoNode: DeviceNode, Hashable {
    static let folder = "/sys/class/video4linux"

    let systemName: String
    /// The number at the end of the name: the order of the kernel's discovery.
    let number: Int
    let path: String
    /// The driver's name for it; may be empty.
    let name: String
    /// The index among the nodes of its device.
    let index: Int
    let busPath: String?
    let usb: USBDescription?
    let isVirtual: Bool

    var order: (Int, Int) { (number, 0) }
    var label: String { name }
    var suffix: String { "-video-index\(index)" }

    /// Whether sysfs allows it to be a camera: frames come from the first node of a device.
    var mayBeCamera: Bool { index == 0 }

    /// Creates the node; nil also for nodes of teletext, radio and parts of a pipeline.
    init?(_ systemName: String, in tree: FileTree) {
        guard systemName.hasPrefix("video"), let number = Int(digits: systemName.dropFirst("video".count)),
            let home = tree.resolved(Self.folder + "/" + systemName)
        else { return nil }
        self.systemName = systemName
        self.number = number
        path = "/dev/" + (Self.deviceName(tree.text(of: home + "/uevent") ?? "") ?? systemName)
        name = DeviceName.shown(tree.text(of: home + "/name") ?? "")
        index = tree.text(of: home + "/index").flatMap { Int(digits: $0) } ?? 0
        usb = USBDescription(above: home, in: tree)
        busPath = BusPath.name(of: home, in: tree)
        isVirtual = home.hasPrefix("/sys/devices/virtual/") || tree.link(at: home + "/device") == nil
    }

    /// Returns the file in `/dev` that uevent names; nil for a name that leads out of `/dev`.
    private static func deviceName(_ event: String) -> String? {
        let key = "DEVNAME="
        let lines = event.split(whereSeparator: \.isNewline)
        guard let line = lines.first(where: { $0.hasPrefix(key) }) else { return nil }
        let name = line.dropFirst(key.count)
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        return parts.contains("..") || parts.contains("") ? nil : String(name)
    }
}
