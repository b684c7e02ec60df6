// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// An option for the image of requests. Options have no effect here.
public struct VNImageOption: RawRepresentable, Sendable, Hashable {
    /// The name of the option.
    public let rawValue: String

    /// Creates an option from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The metadata of the image.
    public static let properties = VNImageOption(rawValue: "VNImageOptionProperties")
    /// The intrinsic matrix of the camera.
    public static let cameraIntrinsics = VNImageOption(rawValue: "VNImageOptionCameraIntrinsics")
    /// The context that renders the image.
    public static let ciContext = VNImageOption(rawValue: "VNImageOptionCIContext")
}
