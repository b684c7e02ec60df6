// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A mode of a camera: the pixel format, size and rate of its frames.
public struct VideoFormat: Sendable, Hashable, Codable {
    /// The memory layout of the frames.
    public var pixelFormat: PixelFormat
    /// Width of the frames as the device delivers them, in pixels, before any rotation.
    public var width: Int
    /// Height of the frames as the device delivers them, in pixels, before any rotation.
    public var height: Int
    /// The frame rate; nil if the source has no constant rate.
    public var frameRate: FrameRate?

    /// Creates a mode of a camera.
    public init(pixelFormat: PixelFormat, width: Int, height: Int, frameRate: FrameRate? = nil) {
        self.pixelFormat = pixelFormat
        self.width = width
        self.height = height
        self.frameRate = frameRate
    }

    /// The size of the frames, in pixels.
    public var size: PixelSize { PixelSize(width: width, height: height) }
}

/// A number of frames per second, as an exact fraction: 30000/1001 for NTSC.
public struct FrameRate: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The numerator: a number of frames.
    public let frames: Int32
    /// The denominator: a number of seconds. The rate is ``frames`` divided by this number.
    public let seconds: Int32

    /// Creates a rate of `frames` frames per `seconds` seconds; values below 1 count as 1.
    public init(_ frames: Int32, per seconds: Int32 = 1) {
        self.frames = max(1, frames)
        self.seconds = max(1, seconds)
    }

    /// Decodes a rate; values below 1 count as 1.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try container.decode(Int32.self, forKey: .frames), per: try container.decode(Int32.self, forKey: .seconds))
    }

    /// The rate as a number, for display.
    public var framesPerSecond: Double { Double(frames) / Double(seconds) }

    /// The time between two frames.
    public var frameDuration: MediaTime { MediaTime(value: Int64(seconds), timescale: frames) }

    /// A description such as `30` or `29.97`.
    public var description: String {
        let hundredths = (framesPerSecond * 100).rounded() / 100
        return hundredths == hundredths.rounded() ? "\(Int(hundredths))" : "\(hundredths)"
    }
}
