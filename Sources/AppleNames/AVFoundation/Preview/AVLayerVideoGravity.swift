// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// The fit of a frame into a layer with another aspect ratio.
public struct AVLayerVideoGravity: RawRepresentable, Sendable, Hashable {
    /// The name.
    public let rawValue: String

    /// Creates a value from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The whole frame, as large as it fits.
    public static let resizeAspect = AVLayerVideoGravity(rawValue: "AVLayerVideoGravityResizeAspect")
    /// The layer is filled, and the frame cropped.
    public static let resizeAspectFill = AVLayerVideoGravity(rawValue: "AVLayerVideoGravityResizeAspectFill")
    /// The frame is stretched to the layer.
    public static let resize = AVLayerVideoGravity(rawValue: "AVLayerVideoGravityResize")

    var gravity: VideoGravity {
        switch self {
        case .resizeAspectFill: .resizeAspectFill
        case .resize: .resize
        default: .resizeAspect
        }
    }
}
