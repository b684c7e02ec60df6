// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Obscura

/// Searches a file of raw luma frames for faces and prints, for each frame, the time of the search in milliseconds and
/// the faces: a line of JSON `[ms, [[x, y, width, height], …]]`.
///
///     FindFaces FILE WIDTH HEIGHT detector|tracker
@main
struct FindFaces {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 5, let width = Int(arguments[2]), let height = Int(arguments[3]),
            let file = FileHandle(forReadingAtPath: arguments[1])
        else {
            print("usage: FindFaces FILE WIDTH HEIGHT detector|tracker")
            exit(64)
        }
        let detector = try FaceDetector()
        let tracker = arguments[4] == "tracker" ? FaceTracker(detector: detector) : nil
        while let bytes = try file.read(upToCount: width * height), bytes.count == width * height {
            var picture = try PixelBuffer(format: .gray8, width: width, height: height)
            let length = picture.bytesPerRow(ofPlane: 0)
            try picture.withMutableBytes(ofPlane: 0) { target in
                for row in 0..<height {
                    for column in 0..<width {
                        target.storeBytes(
                            of: bytes[row * width + column], toByteOffset: row * length + column, as: UInt8.self)
                    }
                }
            }
            let begin = ContinuousClock.now
            let faces = try tracker?.update(with: picture) ?? detector.faces(in: picture)
            let took = ContinuousClock.now - begin
            let boxes = faces.map(\.bounds).map { "[\($0.x), \($0.y), \($0.width), \($0.height)]" }
            print("[\(took / .milliseconds(1)), [\(boxes.joined(separator: ", "))]]")
        }
    }
}
