// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Obscura

/// Reads a film as BGRA, without loss and as fast as it goes, and prints how many frames there were.
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
            // Touches the picture, so that nobody can leave it out.
            sum &+= frame.buffer.withBytes(ofPlane: 0) { Int($0.unsafeLoad(as: UInt8.self)) }
        }
        print(frames, sum)
    }
}
