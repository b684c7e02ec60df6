// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import CEdges
import Obscura

/// Hands each frame to OpenCV code of one's own, without a copy, and gets one back: says how sharp frames are, and
/// writes the last one with its edges drawn.
///
///     swift run Edges camera edges.jpg
@main
struct Edges {
    struct Failure: Error {}

    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        let extractor = FrameExtractor(source: arguments.first ?? "pattern:1280x720@30")
        // A plane of luma is all that is looked at: the frames of a camera with one are not converted.
        extractor.pixelFormat = .gray8
        var count = 0
        for try await frame in extractor.frames {
            print("\(frame.presentationTime): \(try sharpness(of: frame.image))")
            count += 1
            guard count == 30 else { continue }
            // An effect is OpenCV's as easily as one's own: in a session it would stand on a connection.
            var request = ImageRequest(pixelFormat: .bgra)
            request.effects = [edges]
            let picture = try frame.video.uprightImage(request)
            try await Still(picture).write(to: arguments.dropFirst().first ?? "edges.jpg", overwrites: true)
            return
        }
    }

    /// Read where it lies: the memory is the camera's own.
    static func sharpness(of picture: PixelBuffer) throws -> Double {
        let (width, height, stride) = (Int32(picture.width), Int32(picture.height), picture.bytesPerRow(ofPlane: 0))
        return try picture.withBytes(ofPlane: 0) { bytes in
            try bytes.withUnsafeBytes { memory in
                guard let luma = memory.assumingMemoryBound(to: UInt8.self).baseAddress else { throw Failure() }
                return EdgesSharpness(luma, width, height, stride)
            }
        }
    }

    /// Drawn into the memory that the effect was given.
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
