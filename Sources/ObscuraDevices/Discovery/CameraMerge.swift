// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraCapture
internal import ObscuraMedia

/// The cameras of the kernel and of PipeWire, each once, with the driver to use for it. A pure value.
struct CameraMerge: Sendable {
    /// All cameras, the default one first.
    let cameras: [FoundDevice]

    /// Merges the lists.
    ///
    /// - Parameters:
    ///   - otherPaths: the kernel's nodes that are no cameras, although PipeWire may offer them as such.
    ///   - kernelNumber: the number of a kernel's node (`st_rdev`); nil if unknown.
    ///   - isSandboxed: whether the program runs in a sandbox.
    ///   - preferred: the driver to prefer; nil for the automatic choice.
    init(
        kernel: [FoundDevice], pipeWire: [PipeWireCamera], otherPaths: Set<String> = [], isSandboxed: Bool,
        preferred: CameraDriverKind?, kernelNumber: (String) -> UInt64?
    ) {
        var rest = pipeWire.filter { camera in camera.kernelPath.map { !otherPaths.contains($0) } ?? true }
        var merged = kernel.map { camera in
            let number = kernelNumber(camera.path)
            // PipeWire may have it twice: from V4L2 and from libcamera.
            let twins = [
                rest.firstIndex { $0.kernelPath == camera.path },
                rest.firstIndex { other in
                    other.kernelPath != camera.path && number.map(other.kernelNumbers.contains) == true
                },
            ].compactMap(\.self).sorted()
            guard let first = twins.first else { return camera.selecting(.v4l2, .isOnlyDriver) }
            let other = rest[first].device
            for twin in twins.reversed() { rest.remove(at: twin) }
            if let preferred { return camera.reached(by: preferred, .isPreferred, as: other) }
            if isSandboxed { return camera.reached(by: .pipeWire, .isSandboxed, as: other) }
            guard camera.authorization == .authorized else {
                return camera.reached(by: .pipeWire, .nodeIsNotPermitted, as: other)
            }
            return camera.selecting(.v4l2, .nodeIsUsable)
        }
        merged += rest.map { $0.device.selecting(.pipeWire, isSandboxed ? .isSandboxed : .isOnlyDriver) }
        let names = DeviceName.distinct(merged.map(\.name), by: merged.map(\.uniqueID))
        for (index, name) in zip(merged.indices, names) { merged[index].name = name }
        cameras = merged.ranked
    }
}

extension FoundDevice {
    fileprivate func selecting(_ driver: CameraDriverKind, _ reason: CameraDriverSelection.Reason) -> FoundDevice {
        var device = self
        device.driverSelection = CameraDriverSelection(driver: driver, reason: reason)
        return device
    }

    /// Returns the camera with its unique id, name and place, used by one of two drivers.
    ///
    /// - Parameter other: the same camera in PipeWire.
    fileprivate func reached(
        by driver: CameraDriverKind, _ reason: CameraDriverSelection.Reason, as other: FoundDevice
    ) -> FoundDevice {
        var device = selecting(driver, reason)
        guard driver == .pipeWire else { return device }
        device.pipeWireNode = other.pipeWireNode
        device.authorization = other.authorization
        device.accessReason = other.accessReason
        device.accessRemedy = other.accessRemedy
        // The rotation comes with each frame.
        device.rotation = 0
        if device.position == .unspecified { device.position = other.position }
        return device
    }
}
