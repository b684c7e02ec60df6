// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraBase
import ObscuraImaging
import ObscuraMedia
import TestSupport
import Testing

@testable import CoreImage

@Suite("Laziness of CIImage") struct LazinessTests {
    @Test("An effect runs once for each rendering, on the calling thread or for it, and never before") func effects()
        throws
    {
        let calls = Lock(0)
        let effect = VideoEffect("count") { _, _ in calls.withLock { $0 += 1 } }
        let image = CIImage(cgImage: CGImage(try .quarters(8, 8))).adding(.effect(effect))
        let part = image.oriented(.right).cropped(to: CGRect(x: 0, y: 0, width: 3, height: 3))
        #expect(part.extent == CGRect(x: 0, y: 0, width: 3, height: 3))
        #expect(calls.withLock { $0 } == 0)
        _ = try part.colors()
        #expect(calls.withLock { $0 } == 1)
        _ = try part.colors()
        #expect(calls.withLock { $0 } == 2)
    }

    @Test("An image has the pixels that the buffer had when it was created") func laterChanges() throws {
        let before = try PixelBuffer.quarters(8, 4)
        let buffer = CVBuffer(before)
        let image = CIImage(cvPixelBuffer: buffer)
        CVPixelBufferLockBaseAddress(buffer, [])
        let base = try #require(CVPixelBufferGetBaseAddress(buffer))
        base.initializeMemory(as: UInt8.self, repeating: 0, count: 32)
        CVPixelBufferUnlockBaseAddress(buffer, [])
        #expect(try image.colors() == before.colors)
        #expect(try CIImage(cvPixelBuffer: buffer).colors()[0] == [TestColor](repeating: .clear, count: 8))
        #expect(image.pixelBuffer === buffer)
        #expect(image.oriented(.down).pixelBuffer == nil)
    }

    @Test("An image holds the memory of its buffer, and copies nothing") func memory() throws {
        let pool = PixelBufferPool(capacity: 1)
        var image: CIImage? = CIImage(
            cvPixelBuffer: CVBuffer(try pool.makeBuffer(format: .nv12, width: 64, height: 36)))
        image = image?.oriented(.right).applyingFilter("CISepiaTone").cropped(
            to: CGRect(x: 0, y: 0, width: 9, height: 9))
        #expect(image?.extent.width == 9)
        #expect(pool.counts.inUse == 1)
        #expect(pool.counts.allocations == 1)
        image = nil
        #expect(pool.counts.inUse == 0)
    }

    @Test("A file is decoded when the image is rendered") func files() throws {
        let folder = try TemporaryFolder()
        let picture = try PixelBuffer.distinct(40, 30)
        let file = try PNGEncoder().encode(picture)
        let url = folder.url.appendingPathComponent("picture.png")
        try Data(file).write(to: url)
        let image = try #require(CIImage(contentsOf: url))
        #expect(image.extent == CGRect(x: 0, y: 0, width: 40, height: 30))
        #expect(try image.colors() == picture.colors)
        // Damaged behind the header.
        let damaged = try #require(CIImage(data: Data(file.prefix(60))))
        #expect(damaged.extent == image.extent)
        #expect(CIContext().createCGImage(damaged, from: damaged.extent) == nil)
    }

    @Test("What is not a picture gives no image") func badFiles() throws {
        let folder = try TemporaryFolder()
        #expect(CIImage(data: Data()) == nil)
        #expect(CIImage(data: Data("no picture".utf8)) == nil)
        #expect(CIImage(contentsOf: folder.url.appendingPathComponent("none.jpg")) == nil)
        #expect(CIImage(contentsOf: folder.url) == nil)
    }

    @Test("The orientation of a file is applied on request") func fileOrientation() throws {
        let picture = try PixelBuffer.quarters(32, 16)
        var properties = StillProperties()
        properties.orientation = .right
        let file = Data(try StillEncoder(.png()).encode(picture, properties))
        #expect(CIImage(data: file)?.extent.size == CGSize(width: 32, height: 16))
        let upright = try #require(CIImage(data: file, options: [.applyOrientationProperty: true]))
        #expect(upright.extent.size == CGSize(width: 16, height: 32))
        // Rotated clockwise: the bottom left corner becomes the top left one.
        #expect(try upright.colors()[0][0] == .blue)
    }
}
