// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Obscura

/// Prints the time and size of ten frames: the shortest program that reads a camera.
@main
struct PrintFrames {
    static func main() async throws {
        let source = CommandLine.arguments.dropFirst().first ?? "pattern"
        let extractor = FrameExtractor(source: source)
        var count = 0
        for try await frame in extractor.frames {
            print(frame.presentationTime, "\(frame.image.width)x\(frame.image.height)")
            count += 1
            if count == 10 { break }
        }
    }
}
