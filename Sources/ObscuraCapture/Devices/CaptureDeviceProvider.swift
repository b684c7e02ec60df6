// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// A provider of one kind of devices, which lists them and finds them by name.
public protocol CaptureDeviceProvider: Sendable {
    /// The connected devices. Must not start them.
    var devices: [CaptureDevice] { get }
    /// Returns the device with the name of a source; nil if the name is of another kind.
    ///
    /// - Throws: ``ObscuraError`` if the name is invalid, or no device has it.
    func device(named source: String) throws(ObscuraError) -> CaptureDevice?
    /// Reports devices that are connected and disconnected after the call, until the returned object is released. Calls
    /// `tell` on one thread at a time; it must not block.
    ///
    /// - Returns: nil if devices of this kind are never connected or disconnected.
    func observe(_ tell: @escaping @Sendable (DeviceEvent) -> Void) -> (any AnyObject & Sendable)?
}

extension CaptureDeviceProvider {
    /// Returns nil: no devices are connected or disconnected.
    public func observe(_ tell: @escaping @Sendable (DeviceEvent) -> Void) -> (any AnyObject & Sendable)? { nil }
}
