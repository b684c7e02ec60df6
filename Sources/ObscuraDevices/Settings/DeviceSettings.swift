// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraCapture

/// What the user has said of the cameras, by their unique ids.
public struct DeviceSettings: Sendable, Hashable {
    /// What the user has said of one camera.
    public struct Camera: Sendable, Hashable {
        /// Where it looks; nil where nothing is said.
        public var position: CaptureDevice.Position?
        /// What to call it; nil leaves the name that it has by itself.
        public var name: String?

        /// - Parameters:
        ///   - position: where it looks.
        ///   - name: what to call it.
        public init(position: CaptureDevice.Position? = nil, name: String? = nil) {
            self.position = position
            self.name = name
        }
    }

    /// By unique id.
    public var cameras: [String: Camera]

    /// - Parameter cameras: by unique id.
    public init(cameras: [String: Camera] = [:]) {
        self.cameras = cameras
    }
}
