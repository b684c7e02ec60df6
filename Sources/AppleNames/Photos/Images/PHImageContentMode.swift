// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The scaling of an image to a target size with another aspect ratio. Images are never cropped or enlarged.
public enum PHImageContentMode: Int, Sendable {
    /// The largest image that fits into the target size.
    case aspectFit = 0
    /// The smallest image that covers the target size.
    case aspectFill = 1

    /// ``aspectFit``.
    public static let `default` = PHImageContentMode.aspectFit
}
