// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Obscura

/// Reads a movie as BGRA, without dropping frames and as fast as possible, and prints the number of frames.
@main
struct ExtractBGRA {
    static func main() async throws {
        var reading = MovieReadingOptions()
        reading.pace = .lossless
        reading.decoderThreads = CommandLine.arguments.count > 2 ? Int(CommandLine.arguments[2]) : nil
        let device = try CaptureDevice.named(CommandLine.arguments[1], reading: reading)
        let output = VideoDataOutput(pixelFormat: .bgra, latePolicy: .lossless)
        let session = CaptureSession()
        try await session.configure {
            try $0.addInput(CaptureDeviceInput(device: device))
            try $0.addOutput(output)
        }
        try await session.start()
        var frames = 0
        var sum = 0
        for try await frame in output.frames {
            frames += 1
            // Reads a byte, so that the compiler cannot remove the access to the frame.
            sum &+= frame.buffer.withBytes(ofPlane: 0) { Int($0.unsafeLoad(as: UInt8.self)) }
        }
        print(frames, sum)
    }
}
