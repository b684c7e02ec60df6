// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import Obscura

/// A source of media in a session.
public class AVCaptureInput: NSObject, @unchecked Sendable {  // Its subclasses have constants only.
    fileprivate override init() {}
}

/// A camera or a microphone in a session.
public final class AVCaptureDeviceInput: AVCaptureInput, @unchecked Sendable {  // Its properties are constants.
    /// The device.
    public let device: AVCaptureDevice
    package let input: CaptureDeviceInput

    /// Creates an input.
    ///
    /// - Throws: the error of a device that this process may not use.
    public init(device: AVCaptureDevice) throws {
        self.device = device
        input = try CaptureDeviceInput(device: device.device)
        super.init()
    }
}
