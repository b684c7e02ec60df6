// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A pixel format of video, as a four-character code: the same as those of Core Video.
public typealias CMPixelFormatType = FourCharCode

/// One plane, 4 bytes per pixel: blue, green, red, alpha.
public let kCMPixelFormat_32BGRA: CMPixelFormatType = kCVPixelFormatType_32BGRA
