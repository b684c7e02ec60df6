// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Logging

/// The drivers of Linux have no points of interest: programs see that they are not supported.
extension AVCaptureDevice {
    private static let logger = Logger(label: "obscura.avfoundation")
    private static let middle = CGPoint(x: 0.5, y: 0.5)

    /// Whether the camera can focus on a point; always false.
    public var isFocusPointOfInterestSupported: Bool { false }

    /// The point on which the camera focuses; always the center. Setting it has no effect, and logs an error.
    public var focusPointOfInterest: CGPoint {
        get { Self.middle }
        set { Self.logger.error("\(localizedName): focusPointOfInterest is not supported: \(newValue)") }
    }

    /// Whether the camera can expose for a point; always false.
    public var isExposurePointOfInterestSupported: Bool { false }

    /// The point for which the camera exposes; always the center. Setting it has no effect, and logs an error.
    public var exposurePointOfInterest: CGPoint {
        get { Self.middle }
        set { Self.logger.error("\(localizedName): exposurePointOfInterest is not supported: \(newValue)") }
    }
}
