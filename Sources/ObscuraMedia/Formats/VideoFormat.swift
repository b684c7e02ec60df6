// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// One mode of a camera: what its frames look like and how many come a second.
public struct VideoFormat: Sendable, Hashable, Codable {
    /// How the frames lie in memory.
    public var pixelFormat: PixelFormat
    /// Size of the frames as they come from the device, in pixels, before any turning.
    public var width: Int
    /// Height of the frames as they come from the device, in pixels.
    public var height: Int
    /// Frames a second as a fraction; nil where the source does not keep a rate.
    public var frameRate: FrameRate?

    /// A mode of a camera.
    public init(pixelFormat: PixelFormat, width: Int, height: Int, frameRate: FrameRate? = nil) {
        self.pixelFormat = pixelFormat
        self.width = width
        self.height = height
        self.frameRate = frameRate
    }

    /// Width and height.
    public var size: PixelSize { PixelSize(width: width, height: height) }
}

/// Frames a second, as an exact fraction: 30000/1001 for NTSC.
public struct FrameRate: Sendable, Hashable, Codable, CustomStringConvertible {
    /// Numerator: so many frames …
    public let frames: Int32
    /// Denominator: … in so many seconds.
    public let seconds: Int32

    /// - Parameters: both at least 1; smaller values count as 1.
    public init(_ frames: Int32, per seconds: Int32 = 1) {
        self.frames = max(1, frames)
        self.seconds = max(1, seconds)
    }

    /// The rate as a number, for display.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try container.decode(Int32.self, forKey: .frames), per: try container.decode(Int32.self, forKey: .seconds))
    }

    /// The rate as a number, for display.
    public var framesPerSecond: Double { Double(frames) / Double(seconds) }

    /// The time from one frame to the next.
    public var frameDuration: MediaTime { MediaTime(value: Int64(seconds), timescale: frames) }

    /// Such as `30` or `29.97`.
    public var description: String {
        let hundredths = (framesPerSecond * 100).rounded() / 100
        return hundredths == hundredths.rounded() ? "\(Int(hundredths))" : "\(hundredths)"
    }
}
