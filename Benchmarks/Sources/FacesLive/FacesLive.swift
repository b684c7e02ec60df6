// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Dispatch
import Foundation
import Obscura

/// Reads the built-in camera at 1280x720 and 30 frames per second, alone or while faces are searched in it, and prints
/// the latency of the reader's frames: `FacesLive SECONDS FACE.png|none`.
///
/// The face is pasted only into the searched frames; the reader receives unchanged frames.
@main
struct FacesLive {
    private struct Account: Encodable {
        let frames, dropped, gaps: UInt64
        let medianMilliseconds, p95Milliseconds: Double
        let searched, withFaces: UInt64
    }

    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let seconds = Double(arguments[1]) else { exit(64) }
        let session = CaptureSession()
        let device = try CaptureDevice.named("pattern:1280x720@30")
        let output = VideoDataOutput(name: "reader")
        let reader = Reader()
        output.setDelegate(reader, queue: DispatchQueue(label: "reader"))
        let faces = arguments[2] == "none" ? nil : try makeFaces(arguments[2])
        try await session.configure { configuration in
            try configuration.addInput(CaptureDeviceInput(device: device))
            try configuration.addOutput(output)
            if let faces { try configuration.addOutput(faces) }
        }
        let counting = Task { [detections = faces?.detections] in
            var (searched, found): (UInt64, UInt64) = (0, 0)
            guard let detections else { return (searched, found) }
            for await detection in detections {
                searched += 1
                found += detection.faces.isEmpty ? 0 : 1
            }
            return (searched, found)
        }
        try await session.start()
        try await Task.sleep(for: .seconds(seconds))
        await session.stop()
        counting.cancel()
        let (searched, found) = await counting.value
        let latencies = reader.latencies.sorted()
        guard let books = session.ledger.readers.first(where: { $0.name.hasPrefix("reader") })?.frames,
            let input = session.ledger.inputs.first, !latencies.isEmpty
        else { exit(1) }
        // Frames after the stop are not lost.
        let dropped = books.dropped.total - books.dropped[.stopped]
        let account = Account(
            frames: books.delivered, dropped: dropped, gaps: input.gaps,
            medianMilliseconds: latencies[latencies.count / 2],
            p95Milliseconds: latencies[latencies.count * 95 / 100], searched: searched, withFaces: found)
        print(String(decoding: try JSONEncoder().encode(account), as: UTF8.self))
    }

    private static func makeFaces(_ path: String) throws -> FaceOutput {
        let faces = try FaceOutput()
        let face = try ImageTransformer.transform(
            Still(contentsOf: path).picture, ImageRequest(pixelFormat: .bgra, size: PixelSize(width: 400, height: 400)))
        faces.connection.effects = [.overlay(face, at: .at(x: 440, y: 120))]
        return faces
    }
}

/// Records the age of each frame at delivery.
private final class Reader: VideoDataOutputDelegate {
    private let lock = DispatchQueue(label: "latencies")
    private nonisolated(unsafe) var times: [Double] = []

    var latencies: [Double] { lock.sync { times } }

    func output(_ output: VideoDataOutput, didOutput frame: VideoFrame, from connection: CaptureConnection) {
        let age = HostTime.now - frame.hostTime
        let milliseconds = Double(age.components.seconds) * 1e3 + Double(age.components.attoseconds) / 1e15
        lock.sync { times.append(milliseconds) }
    }
}
