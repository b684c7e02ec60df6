// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Obscura
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraDevices

/// Layouts whose planes have memory of their own, as NXP's and Rockchip's cameras give them. A camera that has
/// the plain layout as well is not asked for them, so the stream is tried by itself.
@Suite("Planes in separate memory", .guest, .serialized)
struct SeparatePlanesTests {
    @Test("Green is green in every such layout")
    func green() async throws {
        try VividCamera.reload("n_devs=1", "node_types=0x1", "multiplanar=2")
        defer { try? VividCamera.reload() }
        let camera = try #require(try VividCamera.all().first)
        try camera.set("test_pattern", to: 8)
        try camera.set("osd_text_mode", to: 2)
        let device = try V4L2Device(path: camera.path)
        let offered = device.fourCCs
        let layouts = V4L2Layout.known.filter { $0.hasSeparatePlanes && offered.contains($0.fourCC) }
        #expect(layouts.count >= 5, "\(layouts.map(\.fourCC))")
        for layout in layouts {
            let format = VideoFormat(
                pixelFormat: layout.pixelFormat, width: 320, height: 180, frameRate: FrameRate(30))
            let picture = try picture(V4L2Device(path: camera.path), V4L2Mode(layout: layout, format: format))
            let image = try ImageTransformer.transform(picture, ImageRequest(pixelFormat: .bgra))
            let pixel = image.withBytes(ofPlane: 0) { bytes in
                (0..<3).map {
                    Int(bytes.unsafeLoad(fromByteOffset: 90 * image.bytesPerRow(ofPlane: 0) + 640 + $0, as: UInt8.self))
                }
            }
            #expect(zip(pixel, [0, 255, 0]).allSatisfy { abs($0 - $1) <= 3 }, "\(layout.fourCC): \(pixel)")
        }
    }

    /// The first picture of a stream, which is closed then.
    private func picture(_ device: V4L2Device, _ mode: V4L2Mode) throws -> PixelBuffer {
        let stream = try V4L2Stream(device: device, mode: mode)
        defer { stream.close() }
        try stream.start()
        let eventFD = try EventFD(device.path)
        while true {
            if let delivery = try stream.dequeue() {
                #expect(delivery.isComplete(stream.agreement.shape))
                return delivery.makeBuffer()
            }
            try #require(eventFD.wait(with: device.descriptor, until: .now + waitLimit) == .ready)
        }
    }
}
