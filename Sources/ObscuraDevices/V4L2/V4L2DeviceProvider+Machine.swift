// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraCapture

extension V4L2DeviceProvider {
    /// The cameras of this machine. Make one for a process: one thread watches the machine for all.
    ///
    /// - Parameter decoders: for cameras that give frames which refer to others (H.264).
    public static func machine(decoders: any FrameDecoderProvider) -> V4L2DeviceProvider {
        let finder = CameraFinder(probe: KernelProbe())
        let monitor = CameraMonitor(finder: finder)
        return V4L2DeviceProvider(finder: finder, monitor: monitor) { camera in
            V4L2Driver(camera: camera, finder: finder, monitor: monitor, decoders: decoders)
        }
    }
}
