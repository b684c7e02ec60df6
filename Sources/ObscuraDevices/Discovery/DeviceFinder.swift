// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraMedia

/// Discovery of one kind of device: cameras or microphones.
protocol DeviceFinder: Sendable {
    /// The files of the machine.
    var files: FileTree { get }
    /// The system events that concern this kind of device.
    var eventFilter: DeviceEventFilter { get }
    /// The objects of PipeWire that concern this kind of device; nil if none do.
    var graphFilter: PipeWireChanges.Filter? { get }
    /// The connected devices, the default one first.
    var devices: [FoundDevice] { get }
    /// Returns the node with a name, as ``device(named:)`` accepts it. Reads sysfs only and opens nothing.
    func path(named name: String) -> String?
    /// Returns the current node of a device; nil while it is disconnected. Reads sysfs only.
    ///
    /// A duplicate is not mistaken for the device; see ``DuplicateDevices``. Each scan of this finder records
    /// duplicates, and a running ``DeviceMonitor`` scans at each change.
    func path(of device: FoundDevice) -> String?
    /// Records duplicates that are connected at the same time. Reads sysfs only.
    func noteDuplicates()
}

extension DeviceFinder {
    var graphFilter: PipeWireChanges.Filter? { nil }

    /// Returns the device with a name: its unique id, its node or a link to it, or a name that udev gives or could give
    /// it in `by-id` or `by-path`. For microphones also libasound's names; see ``SoundCardName``.
    func device(named name: String) -> FoundDevice? {
        let devices = devices
        if let device = devices.first(where: { $0.uniqueID == name }) { return device }
        guard let path = path(named: name) else { return nil }
        return devices.first { $0.path == path }
    }

    /// Returns the current node of a device: another device may have the former one.
    ///
    /// - Throws: ``ObscuraError/Code/deviceDisconnected``.
    func currentPath(of device: FoundDevice) throws(ObscuraError) -> String {
        guard let path = path(of: device) else { throw .system(ENODEV, device.path, "") }
        return path
    }
}

/// The system events that concern one kind of device.
struct DeviceEventFilter: Sendable, Hashable {
    /// The kernel's name for the kind, such as `video4linux`.
    let subsystem: String
    /// The folders of the nodes. A missing folder is watched once it exists.
    let folders: [String]
    /// The prefixes of the nodes' names.
    let prefixes: [String]
}
