// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Obscura
import ObscuraMedia
import TestSupport
import Testing

/// The virtual cameras of libcamera, by PipeWire: the path of a MIPI camera without its sensor. They keep no rate, so
/// nothing here is said of times. Their settings are in `Tests/Lab/desktop/virtual.yaml`.
@Suite("Virtual cameras of libcamera", .desktop, .serialized)
struct DesktopVirtualCameraTests {
    private static let small = PixelSize(width: 320, height: 240)
    private static let count = 300

    /// The front, the back, and the external camera.
    private static func cameras() async throws -> [CaptureDevice] {
        try await Desktop.cameras(3) { $0.uniqueID.hasPrefix("libcamera_input.") }
            .sorted { $0.uniqueID < $1.uniqueID }
    }

    @Test("Each camera is listed once, with its name and position")
    func listing() async throws {
        let cameras = try await Self.cameras()
        #expect(cameras.map(\.uniqueID) == (0...2).map { "libcamera_input.Virtual\($0)" })
        #expect(cameras.map(\.localizedName) == ["Built-in Front Camera", "Built-in Back Camera", "Lab External"])
        #expect(cameras.map(\.position) == [.front, .back, .unspecified])
        #expect(cameras.map(\.deviceType) == [.camera, .camera, .external])
        #expect(
            cameras.allSatisfy {
                $0.driverSelection == CameraDriverSelection(driver: .pipeWire, reason: .isOnlyDriver)
            })
        #expect(Set(cameras[0].formats.map(\.size)).isSuperset(of: [Self.small, PixelSize(width: 640, height: 480)]))
        #expect(cameras.allSatisfy { camera in camera.formats.allSatisfy { $0.pixelFormat == .nv12 } })
    }

    /// The luma of the middle row, and the first pixel's luma and chroma.
    private func samples(_ buffer: PixelBuffer) -> (row: [UInt8], color: [UInt8]) {
        let begin = buffer.height / 2 * buffer.bytesPerRow(ofPlane: 0)
        let row = bytes(begin..<begin + buffer.width, ofPlane: 0, buffer)
        return (row, [row[0]] + bytes(0..<2, ofPlane: 1, buffer))
    }

    private func bytes(_ range: Range<Int>, ofPlane plane: Int, _ buffer: PixelBuffer) -> [UInt8] {
        buffer.withBytes(ofPlane: plane) { bytes in
            range.map { bytes.unsafeLoad(fromByteOffset: $0, as: UInt8.self) }
        }
    }

    /// Captures the frames of a camera, and returns their numbers with what `read` makes of their pictures.
    private func capture<Value>(
        _ device: CaptureDevice, _ read: (PixelBuffer) -> Value
    ) async throws -> [(sequence: UInt64, value: Value)] {
        let format = try #require(device.formats.first { $0.size == Self.small })
        let output = VideoDataOutput(latePolicy: .bounded(64))
        let run = try await CameraSession(device: device, format: format, outputs: [output])
        var found: [(sequence: UInt64, value: Value)] = []
        var frames = output.frames.makeAsyncIterator()
        try await run.session.start()
        while found.count < Self.count, let frame = try await frames.next() {
            #expect(frame.buffer.size == Self.small && frame.buffer.format == .nv12)
            found.append((frame.sequence, read(frame.buffer)))
        }
        let ledger = run.session.ledger
        await run.session.stop()
        Lab.report("\(device.localizedName): \(ledger.inputs.first.map { "\($0)" } ?? "")")
        run.expectBalance()
        #expect(zip(found, found.dropFirst()).allSatisfy { $0.sequence < $1.sequence })
        return found
    }

    // A picture, or a part of it, may be newer than its number: the cameras keep no rate, and PipeWire fills its buffers
    // again before they are read.

    @Test("The front camera's 300 frames are its bars, moved by any number of columns")
    func bars() async throws {
        let camera = try await Self.cameras()[0]
        let found = try await capture(camera) { samples($0).row }
        #expect(found.count == Self.count)
        let first = try #require(found.first).value
        let moved = Set(first.indices.map { Array(first[$0...] + first[..<$0]) })
        let whole = found.filter { moved.contains($0.value) }
        #expect(whole.count > Self.count * 9 / 10 && found.allSatisfy { Set($0.value).isSubset(of: first) })
        #expect(Set(found.map(\.value)).count > Self.count / 4 && Set(first).count == 8)
    }

    @Test("The back camera's 300 frames have the colors of its pictures")
    func pictures() async throws {
        let camera = try await Self.cameras()[1]
        // Red, lime, blue and white in full range, as JPEG has them.
        let colors: [[Int]] = [[76, 85, 255], [150, 44, 21], [29, 255, 107], [255, 128, 128]]
        let found = try await capture(camera) { buffer -> (luma: Int?, chroma: Int?) in
            let color = samples(buffer).color.map(Int.init)
            return (
                colors.firstIndex { abs($0[0] - color[0]) <= 2 },
                colors.firstIndex { abs($0[1] - color[1]) <= 2 && abs($0[2] - color[2]) <= 2 }
            )
        }
        #expect(found.count == Self.count && found.allSatisfy { $0.value.luma != nil && $0.value.chroma != nil })
        let whole = found.filter { $0.value.luma == $0.value.chroma }
        #expect(whole.count > Self.count / 2 && Set(whole.map(\.value.luma)).count == colors.count)
    }

    @Test("The external camera's 300 frames are lines of black and white")
    func lines() async throws {
        let camera = try await Self.cameras()[2]
        let found = try await capture(camera) { Set(samples($0).row) }
        #expect(found.count == Self.count && found.allSatisfy { $0.value == [16, 235] })
    }

    @Test("A camera that disappears with the session manager is waited for, and its frames go on when it is back")
    func disconnected() async throws {
        let camera = try await Self.cameras()[0]
        let output = VideoDataOutput()
        let run = try await CameraSession(device: camera, outputs: [output])
        var frames = output.frames.makeAsyncIterator()
        try await run.session.start()
        #expect(try await frames.next() != nil)
        try Desktop.endManager()
        #expect(await becomes { run.events.all.last == "interrupted: deviceDisconnected" }, "\(run.events.all)")
        try Desktop.startManager()
        var frame = try await frames.next()
        while let next = frame, !next.attachments.isDiscontinuity { frame = try await frames.next() }
        #expect(frame != nil)
        #expect(run.events.all == ["started", "interrupted: deviceDisconnected", "interruption ended"])
        await run.session.stop()
    }
}
