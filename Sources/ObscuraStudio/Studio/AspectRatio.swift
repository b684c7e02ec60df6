// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import Obscura

/// A ratio of width to height, such as 4:3.
public struct AspectRatio: Sendable, Hashable, Codable {
    /// The width, 1 to 10,000.
    public let width: Int
    /// The height, 1 to 10,000.
    public let height: Int

    /// Creates an aspect ratio.
    ///
    /// - Throws: ``ObscuraError/Code/invalidValue`` for numbers outside of 1 to 10,000.
    public init(width: Int, height: Int) throws(ObscuraError) {
        guard (1...10_000).contains(width), (1...10_000).contains(height) else {
            throw ObscuraError(
                .studio, .invalidValue, subject: "ratio \(width):\(height)", reason: "each number must be 1 to 10,000")
        }
        (self.width, self.height) = (width, height)
    }

    /// Decodes an object with `width` and `height`.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            width: try values.decode(Int.self, forKey: .width), height: try values.decode(Int.self, forKey: .height))
    }

    /// Parses a ratio in the form `4:3`. Returns nil for other text.
    public init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let width = parts[0], let height = parts[1] else { return nil }
        guard let ratio = try? AspectRatio(width: width, height: height) else { return nil }
        self = ratio
    }

    /// Whether a picture has this ratio. Each side may be off by two pixels, because crop frames end on whole pixels.
    func matches(_ size: PixelSize) -> Bool {
        abs(size.width * height - size.height * width) <= 2 * max(width, height)
    }

    /// Returns the largest part of a picture that has this ratio, at its center.
    func centered(in size: PixelSize) -> UnitRect {
        UnitRect(centred: Double(width), to: Double(height), in: size)
    }
}
