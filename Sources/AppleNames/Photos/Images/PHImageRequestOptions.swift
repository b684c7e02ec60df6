// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The state of a photo that is requested.
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
    /// The best quality. There is one result only.
    case opportunistic = 0
    /// The best quality.
    case highQualityFormat = 1
    /// The best quality as well.
    case fastFormat = 2
}

/// The way in which a picture is reduced to the target size.
public enum PHImageRequestOptionsResizeMode: Int, Sendable {
    /// It keeps its own size.
    case none = 0
    /// It is reduced to the target size.
    case fast = 1
    /// It is reduced to the target size.
    case exact = 2
}

/// Settings of a request for a picture.
public class PHImageRequestOptions: NSObject, NSCopying {
    /// The state of the photo.
    public var version = PHImageRequestOptionsVersion.current
    /// The preference between speed and quality.
    public var deliveryMode = PHImageRequestOptionsDeliveryMode.opportunistic
    /// The way in which the picture is reduced.
    public var resizeMode = PHImageRequestOptionsResizeMode.fast
    /// Whether files may be downloaded. The files of the library are never elsewhere.
    public var isNetworkAccessAllowed = false
    /// Whether the request blocks, and calls its handler before it returns.
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
