// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraBase
import ObscuraMedia
import ObscuraMovies

/// Records a movie in real time until it is killed, and says on the standard error how far it has come, in
/// milliseconds: `TestRecorder PATH FRAMES-PER-SECOND`.
@main
struct TestRecorder {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let rate = Int32(arguments[2]) else { exit(64) }
        let writer = try AssetWriter(
            path: arguments[1], video: VideoSettings(frameRate: FrameRate(rate)), audio: AudioSettings())
        try writer.startSession(at: .zero)
        let begin = HostTime.now
        let clock = Lock(())
        var number: Int64 = 0
        while true {
            let time = MediaTime(value: number, timescale: rate)
            // A deadline at which nobody calls: the pace of a camera.
            _ = clock.wait(until: begin + time.duration) { _ -> Bool? in nil }
            var buffer = try PixelBuffer(format: .i420, width: 320, height: 180, colorSpace: .bt709)
            try buffer.withMutableBytes(ofPlane: 0) { bytes in
                for offset in 0..<bytes.byteCount {
                    bytes.storeBytes(of: UInt8((offset + Int(number) * 5) % 199), toByteOffset: offset, as: UInt8.self)
                }
            }
            try await writer.append(VideoFrame(buffer: buffer, presentationTime: time, hostTime: .now))
            let (first, next) = (number * 48_000 / Int64(rate), (number + 1) * 48_000 / Int64(rate))
            try await writer.append(
                AudioBuffer(
                    format: AudioFormat(), samples: .float32((first * 2..<next * 2).map { Float($0 % 200) / 1000 }),
                    presentationTime: MediaTime(value: first, timescale: 48_000), hostTime: .now,
                    position: UInt64(first)))
            number += 1
            FileHandle.standardError.write(Data("\(number * 1000 / Int64(rate))\n".utf8))
        }
    }
}
