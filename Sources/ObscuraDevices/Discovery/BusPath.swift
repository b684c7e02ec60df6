// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The place of a device on its buses: `pci-0000:00:14.0-usb-0:1:1.0`, `platform-vivid.0`.
///
/// The form is that of ID_PATH, which udev's builtin `path_id` builds from the device's parents in sysfs. It names the
/// links in `/dev/v4l/by-path`.
enum BusPath {
    /// Returns the place of the device at `path` in sysfs; nil if no bus has a fixed place for it.
    static func name(of path: String, in tree: FileTree) -> String? {
        var parts: [String] = []
        var hasPlace = false
        var device: String? = path
        while let current = device {
            let subsystem = subsystem(of: current, in: tree)
            let name = lastPart(of: current)
            switch subsystem {
            case "usb":
                // `1-2.4:1.0` is port 2, behind it port 4, configuration 1, interface 0.
                if let dash = name.firstIndex(of: "-") {
                    parts.append("usb-0:\(name[name.index(after: dash)...])")
                    device = last(of: "usb", from: current, in: tree)
                }
            case "pci", "platform", "amba", "acpi":
                parts.append("\(subsystem ?? "")-\(name)")
                device = last(of: subsystem, from: current, in: tree)
                hasPlace = true
            case "virtio":
                // Its number is the order of discovery; the parent has the place.
                device = last(of: "virtio", from: current, in: tree)
            default: break
            }
            device = device.flatMap(parent)
        }
        return hasPlace ? parts.reversed().joined(separator: "-") : nil
    }

    /// Returns the parent folder; nil at the top of the devices in sysfs.
    static func parent(of path: String) -> String? {
        guard let slash = path.lastIndex(of: "/") else { return nil }
        let parent = String(path[..<slash])
        return parent.isEmpty || parent == "/sys" || parent == "/sys/devices" ? nil : parent
    }

    static func lastPart(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    }

    /// Returns the topmost of directly nested devices of one bus; the name contains only the lowest one.
    private static func last(of subsystem: String?, from path: String, in tree: FileTree) -> String {
        var device = path
        while let parent = parent(of: device), self.subsystem(of: parent, in: tree) == subsystem { device = parent }
        return device
    }

    private static func subsystem(of path: String, in tree: FileTree) -> String? {
        tree.link(at: path + "/subsystem").map(lastPart)
    }
}
