// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import Foundation
import ObscuraMedia

/// A stream of H.264 as a camera sends it: one access unit for each picture.
package struct H264Stream {
    /// Where the whole stream lies.
    package let path: String
    /// The pictures, in the order in which they are decoded.
    package let accessUnits: [[UInt8]]

    /// A stream that `ffmpeg` makes of its moving test picture.
    ///
    /// - Parameter arguments: for libx264.
    package init(_ name: String, size: String = "160x90", seconds: String = "2", _ arguments: [String]) throws {
        try self.init(name, of: TestMovies.source(size, rate: "10", seconds: seconds), arguments)
    }

    /// A stream that `ffmpeg` makes of other pictures.
    ///
    /// - Parameters:
    ///   - input: the arguments of `ffmpeg` that name the pictures.
    ///   - arguments: for libx264.
    package init(_ name: String, of input: [String], _ arguments: [String]) throws {
        path = try TestMovies.path(
            name, input + ["-c:v", "libx264", "-pix_fmt", "yuv420p"] + arguments + ["-f", "h264"])
        accessUnits = Self.split(Array(try Data(contentsOf: URL(fileURLWithPath: path))))
    }

    /// 20 pictures without reordering, a key frame at each fifth.
    package static func camera() throws -> H264Stream {
        try H264Stream("camera.h264", ["-tune", "zerolatency", "-g", "5", "-x264-params", "sliced-threads=0"])
    }

    /// All pictures as `ffmpeg` decodes them, in the order in which they are shown.
    package func decoded() throws -> Data {
        try Tool.run("ffmpeg", ["-v", "error", "-i", path, "-fps_mode", "passthrough", "-f", "rawvideo", "-"])
    }

    /// An access unit begins with the first unit behind a slice that is no slice, and with the first slice of a
    /// picture, whose first number is 0: its first bit is 1.
    private static func split(_ bytes: [UInt8]) -> [[UInt8]] {
        let span = bytes.span.bytes
        var parts: [[UInt8]] = []
        var current: [UInt8] = []
        var hasSlice = false
        var offset = 0
        while let unit = AnnexB.nextUnit(in: span, from: offset) {
            offset = unit.upperBound
            let type = AnnexB.type(of: unit, in: span)
            let isSlice = type == .slice || type == .idrSlice
            let isFirst = isSlice && unit.count > 1 && bytes[unit.lowerBound + 1] & 0x80 != 0
            if hasSlice, !isSlice || isFirst {
                parts.append(current)
                current = []
                hasSlice = false
            }
            current += [0, 0, 0, 1] + bytes[unit]
            if isSlice { hasSlice = true }
        }
        if !current.isEmpty { parts.append(current) }
        return parts
    }
}
