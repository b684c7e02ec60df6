// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraCapture

/// The user's settings of cameras and microphones, by unique id.
public struct DeviceSettings: Sendable, Hashable {
    /// The settings of one device, which can be a camera or a microphone.
    public struct Camera: Sendable, Hashable {
        /// The direction that a camera faces; nil if not set.
        public var position: CaptureDevice.Position?
        /// The display name; nil for the device's own name.
        public var name: String?

        /// Creates settings.
        ///
        /// - Parameters:
        ///   - position: the direction that a camera faces; nil if not set.
        ///   - name: the display name; nil for the device's own name.
        public init(position: CaptureDevice.Position? = nil, name: String? = nil) {
            self.position = position
            self.name = name
        }
    }

    /// The settings of each device, by its unique id.
    public var cameras: [String: Camera]

    /// Creates the settings of several devices.
    ///
    /// - Parameter cameras: the settings of each device, by its unique id.
    public init(cameras: [String: Camera] = [:]) {
        self.cameras = cameras
    }
}
