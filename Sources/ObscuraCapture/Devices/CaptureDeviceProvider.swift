// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// A provider of one kind of devices: lists the devices and finds them by name.
public protocol CaptureDeviceProvider: Sendable {
    /// The connected devices. Reading the property must not start a device.
    var devices: [CaptureDevice] { get }
    /// Returns the device with a name such as `camera:/dev/video2`; nil if the name belongs to another kind of devices,
    /// or if no device has the name.
    ///
    /// - Throws: ``ObscuraError`` if the name is invalid, or if the device cannot be used.
    func device(named source: String) throws(ObscuraError) -> CaptureDevice?
    /// Reports devices that are connected or disconnected after the call, until the returned object is released.
    ///
    /// - Parameter tell: called with each event, on one thread at a time; must not block.
    /// - Returns: nil if devices of this kind are never connected or disconnected.
    func observe(_ tell: @escaping @Sendable (DeviceEvent) -> Void) -> (any AnyObject & Sendable)?
}

extension CaptureDeviceProvider {
    /// The default implementation, for devices that are never connected or disconnected. Returns nil.
    public func observe(_ tell: @escaping @Sendable (DeviceEvent) -> Void) -> (any AnyObject & Sendable)? { nil }
}
