// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Obscura

/// Draws an animation and broadcasts it live, without a camera.
///
///     swift run Animation rtmp://live.example.com/app/key      until Ctrl-C
///     swift run Animation animation.mp4 5                      five seconds of it
@main
struct Animation {
    static let size = PixelSize(width: 640, height: 360)
    static let framesPerSecond = 30

    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let address = arguments.first else {
            print("usage: Animation ADDRESS [SECONDS]")
            return
        }
        let seconds = arguments.dropFirst().first.flatMap(Int.init) ?? .max / framesPerSecond
        // Video only: this example has no sound.
        let broadcast = try BroadcastWriter(
            to: [BroadcastDestination(address)], settings: BroadcastSettings(bitRate: 1_500_000, audio: nil))
        let begin = ContinuousClock.now
        for number in 0..<(seconds * framesPerSecond) {
            // The time of each frame is computed from the start, so that delays do not add up.
            try await Task.sleep(until: begin + .seconds(1) * number / framesPerSecond, clock: .continuous)
            let frame = VideoFrame(
                buffer: try draw(number), presentationTime: MediaTime(value: Int64(number), timescale: 30),
                hostTime: .now, sequence: UInt64(number))
            do {
                try await broadcast.append(frame)
            } catch {
                print(error)
                break
            }
        }
        for destination in await broadcast.finish().destinations {
            print("\(destination.name): \(destination.sentFrames) frames, \(destination.droppedFrames) dropped")
        }
    }

    /// Draws a ring that moves over a sky, in BGRA.
    static func draw(_ number: Int) throws -> PixelBuffer {
        var picture = try PixelBuffer(format: .bgra, width: size.width, height: size.height)
        let time = Double(number) / Double(framesPerSecond)
        let (centerX, centerY) = (320 + 200 * sin(time), 180 + 100 * sin(1.7 * time))
        let bytesPerRow = picture.bytesPerRow(ofPlane: 0)
        try picture.withMutableBytes(ofPlane: 0) { bytes in
            for y in 0..<size.height {
                for x in 0..<size.width {
                    let (dx, dy) = (Double(x) - centerX, Double(y) - centerY)
                    let distance = (dx * dx + dy * dy).squareRoot()
                    let isRing = abs(distance - 50) < 12
                    let sky = UInt32(120 + y / 3)
                    let pixel: UInt32 = isRing ? 0xFFFF_C040 : 0xFF00_0000 | sky / 3 << 16 | sky / 2 << 8 | sky
                    bytes.storeBytes(of: pixel, toByteOffset: y * bytesPerRow + x * 4, as: UInt32.self)
                }
            }
        }
        return picture
    }
}
