// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import CEdges
import Obscura

/// Passes each frame to your own OpenCV code without a copy: prints the sharpness of the frames, and writes the last
/// frame with its edges drawn.
///
///     swift run Edges camera edges.jpg
@main
struct Edges {
    struct Failure: Error {}

    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        let extractor = FrameExtractor(source: arguments.first ?? "pattern:1280x720@30")
        // The loop gets the camera's own buffers.
        extractor.makesImages = false
        var count = 0
        for try await frame in extractor.frames {
            print("\(frame.presentationTime): \(try sharpness(of: frame.video))")
            count += 1
            guard count == 30 else { continue }
            // OpenCV code can also be an effect; in a session, set it on a connection.
            var request = ImageRequest(pixelFormat: .bgra)
            request.effects = [edges]
            let picture = try frame.video.uprightImage(request)
            try await Still(picture).write(to: arguments.dropFirst().first ?? "edges.jpg", overwrites: true)
            return
        }
    }

    /// Reads the luma in place, in the memory of the camera, if it has a plane of its own with 8 bits.
    static func sharpness(of frame: VideoFrame) throws -> Double {
        let buffer = frame.buffer
        let hasLuma = buffer.planeCount > 1 && buffer.format.bitDepth == 8
        let picture = try hasLuma ? buffer : frame.image(ImageRequest(pixelFormat: .gray8))
        let (width, height, stride) = (Int32(picture.width), Int32(picture.height), picture.bytesPerRow(ofPlane: 0))
        return try picture.withBytes(ofPlane: 0) { bytes in
            try bytes.withUnsafeBytes { memory in
                guard let luma = memory.assumingMemoryBound(to: UInt8.self).baseAddress else { throw Failure() }
                return EdgesSharpness(luma, width, height, stride)
            }
        }
    }

    /// The effect that draws edges, in place in the buffer that it receives.
    static let edges = VideoEffect("edges") { picture, _ in
        let (width, height, stride) = (Int32(picture.width), Int32(picture.height), picture.bytesPerRow(ofPlane: 0))
        try picture.withMutableBytes(ofPlane: 0) { bytes in
            try bytes.withUnsafeMutableBytes { memory in
                guard let bgra = memory.assumingMemoryBound(to: UInt8.self).baseAddress,
                    EdgesDraw(bgra, width, height, stride) == 1
                else { throw Failure() }
            }
        }
    }
}
