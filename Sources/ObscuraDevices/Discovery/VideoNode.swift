// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A video node as sysfs describes it, without opening it.
struct VideoNode: DeviceNode, Hashable {
    /// Its name in sysfs, such as `video0`.
    let systemName: String
    /// The number at its end: the order in which the kernel found the nodes.
    let number: Int
    /// Such as `/dev/video0`.
    let path: String
    /// What the driver calls it; may be empty.
    let name: String
    /// Which of the nodes of its device it is.
    let index: Int
    /// Where the device hangs; see ``BusPath``. Nil for a device that is a program's.
    let busPath: String?
    /// What the USB device says, if it is one.
    let usb: USBDescription?
    /// Whether no bus has it: it is made by a program, as by v4l2loopback.
    let isVirtual: Bool

    var label: String { name }
    var suffix: String { "-video-index\(index)" }

    /// Whether it may be a camera, as far as sysfs tells: the first node of a device takes its pictures.
    var mayBeCamera: Bool { index == 0 }

    static let folder = "/sys/class/video4linux"

    /// The node with this name in `/sys/class/video4linux`; nil if it is not a video node (but one for
    /// teletext, radio, a part of a pipeline) or nothing stands behind the name.
    init?(_ systemName: String, in tree: FileTree) {
        guard systemName.hasPrefix("video"), let number = Self.natural(systemName.dropFirst("video".count)),
            let home = tree.resolved(Self.folder + "/" + systemName)
        else { return nil }
        self.systemName = systemName
        self.number = number
        path = "/dev/" + (Self.deviceName(tree.text(of: home + "/uevent") ?? "") ?? systemName)
        name = DeviceName.shown(tree.text(of: home + "/name") ?? "")
        index = tree.text(of: home + "/index").flatMap { Self.natural($0[...]) } ?? 0
        usb = USBDescription(above: home, in: tree)
        busPath = BusPath.name(of: home, in: tree)
        isVirtual = home.hasPrefix("/sys/devices/virtual/") || tree.link(at: home + "/device") == nil
    }

    /// The file in `/dev` that uevent names; a name that would lead out of `/dev` is none.
    private static func deviceName(_ event: String) -> String? {
        let key = "DEVNAME="
        let lines = event.split(whereSeparator: \.isNewline)
        guard let line = lines.first(where: { $0.hasPrefix(key) }) else { return nil }
        let name = line.dropFirst(key.count)
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        return parts.contains("..") || parts.contains("") ? nil : String(name)
    }

    /// A number of digits alone, that fits in what the kernel counts with.
    private static func natural(_ text: Substring) -> Int? {
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return Int32(text).map(Int.init)
    }
}
