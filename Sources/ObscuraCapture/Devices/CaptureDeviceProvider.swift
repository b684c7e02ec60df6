// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// A provider of one kind of devices: lists the existing ones, and finds one by the name that a user gives.
public protocol CaptureDeviceProvider: Sendable {
    /// The devices that exist at this moment. Must not start them.
    var devices: [CaptureDevice] { get }
    /// Returns the device that `source` names (DESIGN, section 4), or nil if the name is not of this kind.
    ///
    /// - Throws: ``ObscuraError`` if the name is of this kind but malformed, or no device has it.
    func device(named source: String) throws(ObscuraError) -> CaptureDevice?
    /// Reports devices that are connected and disconnected after the call, until the returned object is
    /// released; nil if this kind of devices never changes. `tell` is called by one thread at a time, and
    /// must not block.
    func observe(_ tell: @escaping @Sendable (DeviceEvent) -> Void) -> (any AnyObject & Sendable)?
}

extension CaptureDeviceProvider {
    /// Returns nil: the devices never change.
    public func observe(_ tell: @escaping @Sendable (DeviceEvent) -> Void) -> (any AnyObject & Sendable)? { nil }
}
