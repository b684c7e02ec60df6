// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CV4L2
internal import ObscuraCapture

/// Asks the kernel.
struct KernelProbe: VideoNodeProbe {
    func describe(path: String) throws(CaptureError) -> NodeDescription {
        let device = try V4L2Device(path: path)
        let capabilities = device.capabilities
        return NodeDescription(
            isCapture: capabilities.isCapture, driver: capabilities.driver, card: capabilities.card,
            bus: capabilities.bus, orientation: device.orientation, rotation: device.sensorRotation)
    }
}

extension V4L2Device {
    /// Where the camera looks; nil where the driver does not say, or says that it is outside of the machine.
    fileprivate var orientation: CaptureDevice.Position? {
        switch integerControl(UInt32(V4L2_CID_CAMERA_ORIENTATION)) {
        case Int64(V4L2_CAMERA_ORIENTATION_FRONT): .front
        case Int64(V4L2_CAMERA_ORIENTATION_BACK): .back
        default: nil
        }
    }

    /// How the sensor is mounted, in degrees.
    fileprivate var sensorRotation: Int? {
        integerControl(UInt32(V4L2_CID_CAMERA_SENSOR_ROTATION)).flatMap { Int(exactly: $0) }
    }
}
