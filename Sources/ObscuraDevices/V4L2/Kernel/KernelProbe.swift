// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CV4L2
internal import ObscuraCapture
internal import ObscuraMedia

/// The queries of nodes by system calls.
struct KernelProbe: VideoNodeProbe {
    func describe(path: String) throws(ObscuraError) -> NodeDescription {
        let device = try V4L2Device(path: path)
        let capabilities = device.capabilities
        let fourCCs = device.fourCCs
        return NodeDescription(
            kind: NodeDescription.Kind(capabilities, fourCCs: fourCCs), driver: capabilities.driver,
            card: capabilities.card, bus: capabilities.bus, orientation: device.orientation,
            rotation: device.sensorRotation, isGray: !fourCCs.isEmpty && fourCCs.allSatisfy(\.isGray))
    }
}

extension NodeDescription.Kind {
    /// Determines the use of a node.
    ///
    /// - Parameter fourCCs: the node's pixel layouts. A node without any counts as a camera: a v4l2loopback without a
    ///   writer.
    init(_ capabilities: V4L2Capabilities, fourCCs: @autoclosure () -> [FourCC]) {
        guard capabilities.isCapture else {
            self = capabilities.isMetadata ? .metadata : .other
            return
        }
        guard !capabilities.isInPipeline else {
            self = .rawSensor
            return
        }
        let fourCCs = fourCCs()
        let isKnown = fourCCs.isEmpty || fourCCs.contains { V4L2Layout.of($0) != nil }
        self = isKnown ? .camera : .unknownLayouts(fourCCs.map { DeviceName.shown($0.description) })
    }
}

extension V4L2Device {
    /// The direction that the camera faces; nil if the driver does not report it, or that it is outside the machine.
    fileprivate var orientation: CaptureDevice.Position? {
        switch integerControl(UInt32(V4L2_CID_CAMERA_ORIENTATION)) {
        case Int64(V4L2_CAMERA_ORIENTATION_FRONT): .front
        case Int64(V4L2_CAMERA_ORIENTATION_BACK): .back
        default: nil
        }
    }

    /// The rotation of the mounted sensor, in degrees.
    fileprivate var sensorRotation: Int? {
        integerControl(UInt32(V4L2_CID_CAMERA_SENSOR_ROTATION)).flatMap { Int(exactly: $0) }
    }
}
