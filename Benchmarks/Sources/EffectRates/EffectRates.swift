// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Obscura

/// Makes effects on raw pictures from a file in memory, and prints seconds for a frame as JSON:
/// `EffectRates EFFECT FORMAT WIDTH HEIGHT FRAMES PICTURES`. EFFECT `copy` is memcpy of a picture, on as many threads.
@main
struct EffectRates {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 7, let format = PixelFormat(rawValue: arguments[2]), let width = Int(arguments[3]),
            let height = Int(arguments[4]), let frames = Int(arguments[5]), frames > 0
        else { exit(64) }
        let pictures = try load(arguments[6], format, width, height)
        let pool = PixelBufferPool(capacity: 4)
        let once: (Int) throws -> Void
        if arguments[1] == "copy" {
            once = copy(pictures)
        } else {
            var request = ImageRequest()
            request.effects = [try effect(arguments[1])]
            once = { index in
                let context = EffectContext(presentationTime: MediaTime(value: Int64(index), timescale: 30))
                _ = try ImageTransformer.transform(pictures[index % pictures.count], request, context, in: pool)
            }
        }
        // What is done once for all is not counted.
        for index in 0..<8 { try once(index) }
        let clock = ContinuousClock()
        let took = try clock.measure { for index in 8..<(frames + 8) { try once(index) } }
        let seconds = took / .seconds(1)
        print(#"{"secondsPerFrame": \#(seconds / Double(frames)), "bytesPerFrame": \#(pictures[0].packedByteCount)}"#)
    }
}
