// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

extension AVCaptureDevice {
    /// The rotation angles that make the pictures of a camera upright: see
    /// ``AVCaptureConnection/videoRotationAngle``.
    ///
    /// A camera on Linux delivers upright pictures, so that the angles are those of a phone's portrait, and do not change.
    public final class RotationCoordinator: NSObject, @unchecked Sendable {  // Its references are set once.
        /// The camera.
        public private(set) weak var device: AVCaptureDevice?
        /// The layer that shows the pictures, which is not retained.
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
