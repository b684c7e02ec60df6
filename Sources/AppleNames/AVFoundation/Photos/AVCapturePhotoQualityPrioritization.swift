// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The balance of speed and quality of a photo.
public enum AVCapturePhotoQualityPrioritization: Int, Sendable {
    case speed = 1
    case balanced = 2
    case quality = 3
}
