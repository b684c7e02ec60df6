// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// One kind of devices: lists what there is, and finds one by the name that a user gives.
public protocol CaptureDeviceProvider: Sendable {
    /// The devices that there are at this moment. Must not start them.
    var devices: [CaptureDevice] { get }
    /// The device that `source` names (DESIGN, section 4), or nil if the name is not of this kind.
    ///
    /// - Throws: ``ObscuraError`` when the name is of this kind and wrong, or nothing answers to it.
    func device(named source: String) throws(ObscuraError) -> CaptureDevice?
    /// Tells of devices that come and go, for as long as somebody keeps what is returned; nil where none do.
    /// What comes after the call is told. `tell` is called by one thread at a time, and must not block.
    func observe(_ tell: @escaping @Sendable (DeviceEvent) -> Void) -> (any AnyObject & Sendable)?
}

extension CaptureDeviceProvider {
    /// None come or go.
    public func observe(_ tell: @escaping @Sendable (DeviceEvent) -> Void) -> (any AnyObject & Sendable)? { nil }
}
