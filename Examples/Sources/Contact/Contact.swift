// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Obscura

/// Writes one small JPEG for each second of a source, and prints the statistics of the frames at the end.
///
///     swift run Contact movie.mp4
@main
struct Contact {
    static func main() async throws {
        let source = CommandLine.arguments.dropFirst().first ?? "pattern:1280x720@30"
        var reading = MovieReadingOptions()
        reading.pace = .lossless
        let device = try CaptureDevice.named(source, reading: reading)

        let output = VideoDataOutput(name: "contact", size: PixelSize(width: 320, height: 180), latePolicy: .lossless)
        output.fit = .aspect
        // The limit applies before any conversion: skipped frames are not converted.
        output.connection.minFrameDuration = MediaTime(value: 1, timescale: 1)

        let session = CaptureSession()
        try await session.configure {
            try $0.addInput(CaptureDeviceInput(device: device))
            try $0.addOutput(output)
        }
        let frames = output.frames.makeAsyncIterator()
        try await session.start()
        try await write(frames, limit: 5)
        await session.stop()

        for reader in session.ledger.readers {
            print(
                "\(reader.name): \(reader.frames.delivered) of \(reader.frames.offered), \(reader.frames.skipped) skipped"
            )
        }
    }

    static func write(_ frames: consuming VideoDataOutput.Frames.Iterator, limit: Int) async throws {
        let encoder = try JPEGEncoder(quality: 85)
        for _ in 0..<limit {
            guard let frame = try await frames.next() else { return }
            let name = "contact-\(Int(frame.presentationTime.seconds)).jpg"
            try Data(encoder.encode(frame.buffer)).write(to: URL(fileURLWithPath: name))
            print(name)
        }
    }
}
