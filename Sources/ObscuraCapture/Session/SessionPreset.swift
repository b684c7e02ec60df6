// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// What quality the cameras of a session should run at; ``CaptureSession/Preset``.
public enum SessionPreset: String, Sendable, Hashable, CaseIterable, Codable {
    /// The mode with the fewest pixels that are still at least 192x144, for a thin link.
    case low
    /// The mode nearest to 480x360.
    case medium
    /// The mode with the most pixels at 30 frames a second or more, else the quickest.
    case high
    /// The mode with the most pixels, at any rate.
    case photo
    case vga640x480
    case hd1280x720
    case hd1920x1080
    case hd4K3840x2160
    /// The format that was chosen for each input, else the device's own choice.
    case inputPriority

    /// The size that the preset names; nil where it asks for a quality.
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
