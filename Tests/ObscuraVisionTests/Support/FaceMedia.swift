// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraMedia
import TestSupport
import Testing

/// Pictures and films with and without faces; `scripts/fetch-faces` fetches them.
enum FaceMedia {
    static let folder = ProcessInfo.processInfo.environment["OBSCURA_TEST_FACES"]

    static let withFaces = ["astronaut.png"]
    static let without = ["coffee.png", "brick.png", "gravel.png", "grass.png", "chelsea.png"]

    static func path(_ name: String) throws -> String {
        "\(try #require(folder))/\(name)"
    }

    /// The luma of a picture or a film, as `ffmpeg` makes it.
    static func gray(_ name: String, _ filter: String, frames: Int = 1) throws -> [GrayFrame] {
        try gray(input: ["-i", try path(name)], filter, frames: frames)
    }

    /// A film without sound: of an astronaut who flies over a cup of coffee, `step` pixels to the right each frame.
    static func flight(size: PixelSize, face: Int, step: Int, frames: Int) throws -> [GrayFrame] {
        let loop = ["-loop", "1"]
        // The face in the picture, with something around it.
        let graph =
            "[0:v]scale=\(size.width):\(size.height)[b];[1:v]crop=150:170:155:45,scale=\(face):-2[f];"
            + "[b][f]overlay=x='n*\(step)':y='H/4+n':eval=frame,format=gray"
        return try gray(
            input: loop + ["-i", try path("coffee.png")] + loop + ["-i", try path("astronaut.png")], graph,
            frames: frames, isComplex: true)
    }

    private static func gray(
        input: [String], _ filter: String, frames: Int, isComplex: Bool = false
    ) throws -> [GrayFrame] {
        let file = try TemporaryFolder()
        let path = file("gray.nut")
        let graph = isComplex ? ["-filter_complex", filter] : ["-vf", filter, "-pix_fmt", "gray"]
        try Tool.run(
            "ffmpeg",
            ["-v", "error", "-y"] + input + graph + ["-frames:v", "\(frames)", "-c:v", "rawvideo", "-f", "nut", path])
        let words = try Tool.run(
            "ffprobe", ["-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0", path])
        let sides = String(decoding: words, as: UTF8.self).split(whereSeparator: { ",\n".contains($0) }).compactMap {
            Int($0)
        }
        try #require(sides.count == 2)
        let bytes = try Tool.run("ffmpeg", ["-v", "error", "-i", path, "-pix_fmt", "gray", "-f", "rawvideo", "-"])
        let size = PixelSize(width: sides[0], height: sides[1])
        let length = size.width * size.height
        try #require(bytes.count > 0 && bytes.count % length == 0)
        return (0..<bytes.count / length).map { index in
            GrayFrame(
                size: size,
                bytes: Array(bytes[bytes.startIndex + index * length..<bytes.startIndex + (index + 1) * length]))
        }
    }
}

/// A picture of luma alone.
struct GrayFrame {
    let size: PixelSize
    let bytes: [UInt8]

    /// The same picture with rows that are farther apart than they are long.
    func buffer() throws -> PixelBuffer {
        var buffer = try PixelBuffer(format: .gray8, width: size.width, height: size.height)
        let length = buffer.bytesPerRow(ofPlane: 0)
        try buffer.withMutableBytes(ofPlane: 0) { target in
            for row in 0..<size.height {
                for column in 0..<size.width {
                    target.storeBytes(
                        of: bytes[row * size.width + column], toByteOffset: row * length + column, as: UInt8.self)
                }
            }
        }
        return buffer
    }
}

extension Trait where Self == ConditionTrait {
    /// Needs the pictures and the film of `scripts/fetch-faces`.
    static var needsFaces: Self {
        .enabled("OBSCURA_TEST_FACES names no folder; scripts/fetch-faces makes one") { FaceMedia.folder != nil }
    }

    /// Needs OpenCV's own Python API, the judge of what the classic search finds.
    static var needsPythonOpenCV: Self {
        .enabled("/usr/bin/python3 has no cv2; python3-opencv brings it") {
            ClassicOpenCV.isInstalled
        }
    }
}
