// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The version of a photo: with or without its edits.
public enum PHImageRequestOptionsVersion: Int, Sendable {
    /// With its edits.
    case current = 0
    /// Without its edits.
    case unadjusted = 1
    /// Without its edits.
    case original = 2
}

/// The preference between speed and quality.
public enum PHImageRequestOptionsDeliveryMode: Int, Sendable {
    /// The best quality, as in all modes. The handler is called only once.
    case opportunistic = 0
    /// The best quality, as in all modes.
    case highQualityFormat = 1
    /// The best quality, as in all modes.
    case fastFormat = 2
}

/// The reduction of an image to the target size.
public enum PHImageRequestOptionsResizeMode: Int, Sendable {
    /// The image has its full size. The target size has no effect.
    case none = 0
    /// The image is reduced to the target size.
    case fast = 1
    /// The image is reduced to the target size.
    case exact = 2
}

/// Settings of a request for an image.
public class PHImageRequestOptions: NSObject, NSCopying {
    /// The version of the photo: with or without its edits.
    public var version = PHImageRequestOptionsVersion.current
    /// The preference between speed and quality.
    public var deliveryMode = PHImageRequestOptionsDeliveryMode.opportunistic
    /// The reduction of the image to the target size.
    public var resizeMode = PHImageRequestOptionsResizeMode.fast
    /// Whether files may be downloaded. Without effect: all files of the library are local.
    public var isNetworkAccessAllowed = false
    /// Whether the request blocks until its handler has been called.
    public var isSynchronous = false

    /// Creates the default settings.
    override public init() {}

    /// Returns a copy.
    public func copy(with zone: NSZone? = nil) -> Any {
        let copy = PHImageRequestOptions()
        copy.version = version
        copy.deliveryMode = deliveryMode
        copy.resizeMode = resizeMode
        copy.isNetworkAccessAllowed = isNetworkAccessAllowed
        copy.isSynchronous = isSynchronous
        return copy
    }
}
