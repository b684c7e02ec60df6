// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// The quality at which the cameras of a session run; also named ``CaptureSession/Preset``.
public enum SessionPreset: String, Sendable, Hashable, CaseIterable, Codable {
    /// The smallest mode with at least as many pixels as 192x144; for slow connections.
    case low
    /// The mode whose number of pixels is nearest to 480x360.
    case medium
    /// The mode with the most pixels at 29 frames per second or more. If no mode is that fast, the mode with the
    /// highest frame rate.
    case high
    /// The mode with the most pixels, at any frame rate.
    case photo
    /// A mode of 640x480.
    case vga640x480
    /// A mode of 1280x720.
    case hd1280x720
    /// A mode of 1920x1080.
    case hd1920x1080
    /// A mode of 3840x2160.
    case hd4K3840x2160
    /// The mode selected with ``CaptureSession/Configuration/setFormat(_:for:)``; otherwise the first mode of the
    /// device.
    case inputPriority

    /// The size of the modes that the preset selects; nil for presets without a fixed size.
    public var size: PixelSize? {
        switch self {
        case .vga640x480: PixelSize(width: 640, height: 480)
        case .hd1280x720: PixelSize(width: 1280, height: 720)
        case .hd1920x1080: PixelSize(width: 1920, height: 1080)
        case .hd4K3840x2160: PixelSize(width: 3840, height: 2160)
        case .low, .medium, .high, .photo, .inputPriority: nil
        }
    }
}
