// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraCapture

/// The devices of one kind for a ``CaptureDeviceProvider``: list, lookup by name, and hot-plug events.
struct DeviceCatalog: Sendable {
    private let prefix: String
    private let finder: any DeviceFinder
    private let monitor: DeviceMonitor
    private let makeDriver: @Sendable (FoundDevice, DeviceMonitor) -> any CaptureDriver

    /// Creates a catalog.
    ///
    /// - Parameters:
    ///   - prefix: the beginning of a source's name, such as `camera:`.
    ///   - finder: scans the machine.
    ///   - makeDriver: makes the driver of a device.
    init(
        prefix: String, finder: any DeviceFinder,
        makeDriver: @escaping @Sendable (FoundDevice, DeviceMonitor) -> any CaptureDriver
    ) {
        self.prefix = prefix
        self.finder = finder
        self.makeDriver = makeDriver
        monitor = DeviceMonitor(finder: finder)
    }

    /// The connected devices, the default one first.
    var devices: [CaptureDevice] { finder.devices.map(device) }

    /// Returns the device with the name of a source; nil for another prefix or an unknown name.
    func device(named source: String) -> CaptureDevice? {
        guard source.hasPrefix(prefix) else { return nil }
        return finder.device(named: String(source.dropFirst(prefix.count))).map(device)
    }

    /// Reports connected and disconnected devices until the returned object is released.
    func observe(_ report: @escaping @Sendable (DeviceEvent) -> Void) -> any AnyObject & Sendable {
        monitor.observe { [makeDriver, monitor] change in
            let device = { (found: FoundDevice) in CaptureDevice(driver: makeDriver(found, monitor)) }
            switch change {
            case .connected(let found): report(.connected(device(found)))
            case .disconnected(let found): report(.disconnected(device(found)))
            }
        }
    }

    private func device(_ found: FoundDevice) -> CaptureDevice {
        CaptureDevice(driver: makeDriver(found, monitor))
    }
}
