// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// A kind of devices: a list, and lookup by name.
public protocol CaptureDeviceProvider: Sendable {
    /// The connected devices. Must not start them.
    var devices: [CaptureDevice] { get }
    /// The device with the name of a source; nil if the name is of another kind.
    ///
    /// - Throws: ``ObscuraError`` if the name is invalid, or no device has it.
    func device(named source: String) throws(ObscuraError) -> CaptureDevice?
    /// Reports devices that are connected and disconnected after the call, until the returned object is released; nil
    /// if this never happens. Calls `tell` on one thread at a time; it must not block.
    func observe(_ tell: @escaping @Sendable (DeviceEvent) -> Void) -> (any AnyObject & Sendable)?
}

extension CaptureDeviceProvider {
    /// No devices are connected or disconnected.
    public func observe(_ tell: @escaping @Sendable (DeviceEvent) -> Void) -> (any AnyObject & Sendable)? { nil }
}
