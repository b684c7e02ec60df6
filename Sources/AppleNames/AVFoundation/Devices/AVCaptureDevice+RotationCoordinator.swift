// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

extension AVCaptureDevice {
    /// The rotation angles that make the frames of a camera upright; see ``AVCaptureConnection/videoRotationAngle``.
    ///
    /// Cameras on Linux deliver upright frames. Therefore both angles are always 90, as for a phone in portrait.
    public final class RotationCoordinator: NSObject, @unchecked Sendable {  // Its references are set once.
        /// The camera.
        public private(set) weak var device: AVCaptureDevice?
        /// The layer that shows the frames, which is not retained.
        public private(set) weak var previewLayer: CALayer?

        /// Creates the coordinator of a camera and its preview.
        public init(device: AVCaptureDevice, previewLayer: CALayer?) {
            self.device = device
            self.previewLayer = previewLayer
        }

        /// The angle for the preview, in degrees.
        public var videoRotationAngleForHorizonLevelPreview: CGFloat { 90 }
        /// The angle for photos and movies, in degrees.
        public var videoRotationAngleForHorizonLevelCapture: CGFloat { 90 }
    }
}
