// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraCapture
package import ObscuraMedia

/// A camera of the kernel.
package struct V4L2Driver: CaptureDriver {
    private let camera: FoundCamera
    private let surroundings: any CameraSurroundings
    /// Asked for once; a camera's modes stay the same.
    private let modes = Lock<[VideoFormat]?>(nil)

    init(camera: FoundCamera, surroundings: any CameraSurroundings) {
        self.camera = camera
        self.surroundings = surroundings
    }

    package var uniqueID: String { camera.uniqueID }
    package var localizedName: String { camera.name }
    package var modelID: String? { camera.modelID }
    package var deviceType: CaptureDevice.DeviceType { camera.deviceType }
    package var position: CaptureDevice.Position { camera.position }
    package var authorizationStatus: AuthorizationStatus { camera.authorization }
    package var accessAdvice: String? { camera.accessAdvice }

    /// The modes of the camera; empty while it cannot be opened.
    package var formats: [VideoFormat] {
        modes.withLock { modes in
            if let modes { return modes }
            guard let device = try? V4L2Device(path: camera.path) else { return [] }
            let found = V4L2Modes(of: device).all.map(\.format)
            modes = found
            return found
        }
    }

    package func makeRun(
        format: VideoFormat?, sink: any CaptureSink, clock: any CaptureClock
    ) -> any CaptureRun {
        makeRun(format: format, startsWhenAvailable: false, sink: sink, clock: clock)
    }

    package func makeRun(
        format: VideoFormat?, startsWhenAvailable: Bool, sink: any CaptureSink, clock: any CaptureClock
    ) -> any CaptureRun {
        V4L2Run(
            camera: camera, format: format, startsWhenAvailable: startsWhenAvailable, surroundings: surroundings,
            sink: sink)
    }

    package func openControls() throws(CaptureError) -> any DeviceControls {
        // It may have another node than when it was found.
        let path = surroundings.path(of: camera.uniqueID) ?? camera.path
        return V4L2Controls(camera: camera.name, port: try V4L2Device(path: path))
    }
}
