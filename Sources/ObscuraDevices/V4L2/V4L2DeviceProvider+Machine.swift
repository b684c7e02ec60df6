// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The cameras of this machine.
extension V4L2DeviceProvider {
    /// The one that everybody shares, so that one thread watches the machine for all.
    public static let machine: V4L2DeviceProvider = {
        let finder = CameraFinder(probe: KernelProbe())
        let monitor = CameraMonitor(finder: finder)
        return V4L2DeviceProvider(finder: finder, monitor: monitor) { camera in
            V4L2Driver(camera: camera, finder: finder, monitor: monitor)
        }
    }()
}
