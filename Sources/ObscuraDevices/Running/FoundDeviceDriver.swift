// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraCapture
internal import ObscuraMedia

/// A driver that takes the description of its device from discovery.
protocol FoundDeviceDriver: CaptureDriver {
    var device: FoundDevice { get }
    /// The finder that locates the device when it is connected again.
    var finder: any DeviceFinder { get }
    /// The monitor that reports changes, after which the device is searched for.
    var monitor: DeviceMonitor { get }
}

extension FoundDeviceDriver {
    var uniqueID: String { device.uniqueID }
    var localizedName: String { device.name }
    var modelID: String? { device.modelID }
    var manufacturer: String? { device.manufacturer }
    var path: String? { device.isSystemDefault ? nil : device.path }
    var deviceType: CaptureDevice.DeviceType { device.deviceType }
    var position: CaptureDevice.Position { device.position }
    var authorizationStatus: AuthorizationStatus { device.authorization }
    var accessReason: AccessReason? { device.accessReason }
    var accessRemedy: Remedy? { device.accessRemedy }
    var driverSelection: CameraDriverSelection? { device.driverSelection }
}
