// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// One kind of devices: lists what there is, and finds one by the name that a user gives.
public protocol CaptureDeviceProvider: Sendable {
    /// The devices that there are at this moment. Must not open them.
    var devices: [CaptureDevice] { get }
    /// The device that `source` names (DESIGN, section 4), or nil if the name is not of this kind.
    ///
    /// - Throws: ``CaptureError`` when the name is of this kind and wrong, or nothing answers to it.
    func device(named source: String) throws(CaptureError) -> CaptureDevice?
}
