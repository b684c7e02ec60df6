// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The way in which a picture of another shape meets the target size. Pictures are never cropped or enlarged.
public enum PHImageContentMode: Int, Sendable {
    /// It is as large as fits into the target size.
    case aspectFit = 0
    /// It is as small as covers the target size.
    case aspectFill = 1

    /// ``aspectFit``.
    public static let `default` = PHImageContentMode.aspectFit
}
