// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Dispatch
import Obscura

/// Reads the camera with Obscura's own API.
enum NativeCamera {
    static func readInLoop(_ camera: String, _ meter: FrameMeter) async throws {
        let output = VideoDataOutput(pixelFormat: .bgra)
        let session = try await session(of: camera, output)
        try await session.start()
        for try await frame in output.frames where !meter.count(byte: frame.firstByte) { break }
        await session.stop()
    }

    static func readWithDelegate(_ camera: String, _ meter: FrameMeter) async throws {
        let output = VideoDataOutput(pixelFormat: .bgra)
        let delegate = Delegate(meter)
        output.setDelegate(delegate, queue: DispatchQueue(label: "frames"))
        let session = try await session(of: camera, output)
        try await session.start()
        await meter.wait()
        await session.stop()
        withExtendedLifetime(delegate) {}
    }

    private static func session(of camera: String, _ output: VideoDataOutput) async throws -> CaptureSession {
        let input = try CaptureDeviceInput(device: try CaptureDevice.named(camera))
        let session = CaptureSession()
        try await session.configure {
            try $0.addInput(input)
            try $0.addOutput(output)
        }
        return session
    }

    private final class Delegate: VideoDataOutputDelegate {
        private let meter: FrameMeter

        init(_ meter: FrameMeter) { self.meter = meter }

        func output(_ output: VideoDataOutput, didOutput frame: VideoFrame, from connection: CaptureConnection) {
            meter.count(byte: frame.firstByte)
        }
    }
}

extension VideoFrame {
    fileprivate var firstByte: UInt8 { buffer.withBytes(ofPlane: 0) { $0.unsafeLoad(as: UInt8.self) } }
}
