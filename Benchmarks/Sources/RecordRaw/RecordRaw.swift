// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Obscura

/// Encodes raw frames (I420, 30 per second) to H.264 in a movie, and prints the number of frames:
/// `RecordRaw PICTURES WIDTH HEIGHT MOVIE`.
@main
struct RecordRaw {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 5, let width = Int(arguments[2]), let height = Int(arguments[3]),
            let file = fopen(arguments[1], "r")
        else { exit(64) }
        defer { fclose(file) }
        var settings = VideoSettings(frameRate: FrameRate(30))
        settings.encoders.hardware = .never
        var options = AssetWriter.Options()
        options.overwrites = true
        let writer = try AssetWriter(path: arguments[4], video: settings, options: options)
        try writer.startSession(at: .zero)
        let pool = PixelBufferPool(capacity: 16)
        var number: Int64 = 0
        while let picture = try read(file, width, height, pool) {
            let time = MediaTime(value: number, timescale: 30)
            try await writer.append(
                VideoFrame(
                    buffer: picture, presentationTime: time, hostTime: .now,
                    duration: MediaTime(value: 1, timescale: 30), sequence: UInt64(number)))
            number += 1
        }
        print(try await writer.finish().videoFrameCount)
    }

    /// Reads the next frame; returns nil at the end of the file.
    private static func read(
        _ file: UnsafeMutablePointer<FILE>, _ width: Int, _ height: Int, _ pool: PixelBufferPool
    ) throws -> PixelBuffer? {
        var picture = try pool.makeBuffer(format: .i420, width: width, height: height, colorSpace: .bt709)
        for (plane, layout) in picture.planes.enumerated() {
            let stride = picture.bytesPerRow(ofPlane: plane)
            let isWhole = try picture.withMutableBytes(ofPlane: plane) { span in
                span.withUnsafeMutableBytes { bytes in
                    guard let base = bytes.baseAddress else { return false }
                    if stride == layout.rowBytes {
                        return fread(base, stride * layout.rows, 1, file) == 1
                    }
                    return (0..<layout.rows).allSatisfy { fread(base + $0 * stride, layout.rowBytes, 1, file) == 1 }
                }
            }
            guard isWhole else { return nil }
        }
        return picture
    }
}
