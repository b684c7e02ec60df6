// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import ObscuraImaging
import ObscuraMedia
import TestSupport
import Testing

/// When effects are made, of what, and how often. What each of them does is tested beside it.
@Suite struct VideoEffectTests {
    /// Adds one to each byte of the first plane, and counts how often it did.
    private final class Adder: Sendable {
        let calls = Lock(0)
        let sizes = Lock<[PixelSize]>([])
        let formats: Set<PixelFormat>

        init(_ formats: Set<PixelFormat> = [.bgra]) { self.formats = formats }

        var effect: VideoEffect {
            VideoEffect("add", formats: formats) { [self] picture, _ in
                calls.withLock { $0 += 1 }
                let size = picture.size
                sizes.withLock { $0.append(size) }
                let layout = picture.planes[0]
                let stride = picture.bytesPerRow(ofPlane: 0)
                try picture.withMutableBytes(ofPlane: 0) { bytes in
                    for row in 0..<layout.rows {
                        for place in (row * stride)..<(row * stride + layout.rowBytes) {
                            let byte = bytes.unsafeLoad(fromByteOffset: place, as: UInt8.self)
                            bytes.storeBytes(of: byte &+ 1, toByteOffset: place, as: UInt8.self)
                        }
                    }
                }
            }
        }
    }

    private func frame(_ format: PixelFormat, in pool: PixelBufferPool? = nil) throws -> VideoFrame {
        var frame = VideoFrame(buffer: try .noise(format, 64, 36), presentationTime: .zero, hostTime: .now)
        frame.pool = pool
        return frame
    }

    private func request(_ effects: [VideoEffect], _ request: ImageRequest = ImageRequest()) -> ImageRequest {
        var request = request
        request.effects = effects
        return request
    }

    @Test func `an effect changes the picture that is asked for, and not the frame's own`() throws {
        let frame = try frame(.bgra)
        let before = frame.buffer.samples(ofPlane: 0)
        let picture = try frame.image(request([Adder().effect]))
        #expect(picture.samples(ofPlane: 0) == before.map { ($0 + 1) & 255 })
        #expect(frame.buffer.samples(ofPlane: 0) == before)
    }

    @Test func `effects run in the order of the chain`() throws {
        let frame = try frame(.gray8)
        let double = VideoEffect("double", formats: [.gray8]) { picture, _ in
            let bytes = picture.packedBytes()
            try picture.fill { _, x, row in UInt16(bytes[row * 64 + x]) * 2 }
        }
        let adder = Adder([.gray8]).effect
        let before = frame.buffer.samples(ofPlane: 0)
        #expect(
            try frame.image(request([adder, double])).samples(ofPlane: 0) == before.map { (($0 + 1) & 255) * 2 & 255 })
        #expect(
            try frame.image(request([double, adder])).samples(ofPlane: 0) == before.map { ($0 * 2 + 1) & 255 })
    }

    @Test func `a chain is made once for all sizes and formats, at the size of the upright picture`() throws {
        let adder = Adder()
        let effects = [adder.effect]
        let frame = try frame(.i420)
        var turned = ImageRequest()
        turned.orientation = .right
        _ = try frame.image(request(effects))
        _ = try frame.image(request(effects, ImageRequest(pixelFormat: .rgba)))
        _ = try frame.image(request(effects, ImageRequest(pixelFormat: .nv12, size: PixelSize(width: 16, height: 9))))
        #expect(adder.calls.withLock { $0 } == 1)
        #expect(try frame.image(request(effects, turned)).size == PixelSize(width: 36, height: 64))
        #expect(adder.sizes.withLock { $0 } == [PixelSize(width: 64, height: 36), PixelSize(width: 36, height: 64)])
    }

    @Test func `threads that ask at once share one run of the effects`() throws {
        let adder = Adder()
        let wanted = request([adder.effect])
        let shared = try frame(.i420)
        let images = Lock<[PixelBuffer]>([])
        let threads = (0..<8).compactMap { _ in
            WorkerThread(name: "ask") {
                guard let image = try? shared.image(wanted) else { return }
                images.withLock { $0.append(image) }
            }
        }
        for thread in threads { #expect(thread.ends()) }
        #expect(images.withLock { $0.count } == 8)
        #expect(adder.calls.withLock { $0 } == 1)
    }

    @Test func `a copy of an effect is the same effect, one made anew is not`() {
        let adder = Adder()
        let effect = adder.effect
        let copy = effect
        #expect(effect == copy)
        #expect(effect != adder.effect)
        #expect(request([effect]) == request([copy]))
        #expect(request([effect]) != request([]))
        #expect(!request([effect]).isIdentity)
    }

    @Test func `a picture that the effect does not know is made BGRA, and what it knows stays as it is`() throws {
        for format in PixelFormat.uncompressed {
            let frame = try frame(format)
            let known = try frame.image(request([Adder([format]).effect]))
            #expect(known.format == format)
            let other = try frame.image(request([Adder([.bgra]).effect]))
            #expect(other.format == .bgra, "\(format)")
            let chain = try frame.image(request([Adder([format]).effect, Adder([.bgra]).effect]))
            #expect(chain.format == .bgra)
        }
    }

    @Test(arguments: [PixelFormat.bgra, .rgb24, .bgrx]) func `effects get RGB in full range`(format: PixelFormat) throws
    {
        var limited = ColorSpace.sRGB
        limited.range = .limited
        var picture = try PixelBuffer(format: format, width: 8, height: 4, colorSpace: limited)
        try picture.fill { _, _, _ in 16 }
        let request = request([.invert], ImageRequest(pixelFormat: .rgb24))
        let frame = VideoFrame(buffer: picture, presentationTime: .zero, hostTime: .now)
        for result in [try ImageTransformer.transform(picture, request), try frame.image(request)] {
            #expect(result.samples(ofPlane: 0).allSatisfy { $0 == 255 })
            #expect(result.colorSpace.range == .full)
        }
        // In the requested format, whatever the effects work on.
        let kept: PixelFormat = format == .bgrx ? .bgra : format
        let more = try frame.image(self.request([.invert, .blur(radius: 1)], ImageRequest(pixelFormat: kept)))
        #expect(more.format == kept)
        // Also without a conversion before, by which white would become 20.
        try picture.fill { _, _, _ in 235 }
        let inverted = try ImageTransformer.transform(picture, request)
        #expect(inverted.samples(ofPlane: 0).allSatisfy { $0 == 0 })
    }

    @Test func `what is foretold of a request with effects comes true`() throws {
        let requests = [
            ImageRequest(), ImageRequest(pixelFormat: .nv12), ImageRequest(pixelFormat: .rgba),
            ImageRequest(size: PixelSize(width: 30, height: 17)),
        ]
        for format in [PixelFormat.i420, .nv12, .bgra, .i010, .yuyv, .gray8, .rgb24] {
            let picture = try PixelBuffer.noise(format, 64, 36)
            for effects in [
                [Adder().effect], [Adder([.i420, .nv12]).effect], [Adder([format]).effect, Adder().effect],
            ] {
                for wanted in requests {
                    let request = request(effects, wanted)
                    let foretold = try ImageTransformer.result(
                        of: request, for: format, size: picture.size, colorSpace: picture.colorSpace)
                    let made = try ImageTransformer.transform(picture, request)
                    #expect(made.format == foretold.format)
                    #expect(made.size == foretold.size)
                }
            }
        }
    }

    @Test func `a crop, a turn and a mirror come before the effects`() throws {
        let frame = try frame(.bgra)
        var wanted = ImageRequest(size: PixelSize(width: 10, height: 20))
        wanted.crop = PixelRect(x: 3, y: 5, width: 40, height: 20)
        wanted.orientation = .left
        wanted.isMirrored = true
        let adder = Adder()
        let picture = try frame.image(request([adder.effect], wanted))
        #expect(picture.size == PixelSize(width: 10, height: 20))
        #expect(adder.sizes.withLock { $0 } == [PixelSize(width: 20, height: 40)])
        var plain = wanted
        plain.size = nil
        let expected = try frame.image(plain).samples(ofPlane: 0).map { ($0 + 1) & 255 }
        #expect(try frame.image(request([adder.effect], plain)).samples(ofPlane: 0) == expected)
    }

    @Test func `what an effect throws is thrown to each who asks, and it is not tried again`() throws {
        struct Broken: Error {}
        let calls = Lock(0)
        let effect = VideoEffect("broken") { _, _ in
            calls.withLock { $0 += 1 }
            throw Broken()
        }
        let frame = try frame(.bgra)
        #expect(throws: Broken.self) { try frame.image(request([effect])) }
        #expect(throws: Broken.self) { try frame.image(request([effect])) }
        #expect(calls.withLock { $0 } == 1)
    }

    @Test func `an effect that gives a picture of another size or format is refused`() throws {
        let frame = try frame(.bgra)
        for picture in [try PixelBuffer.noise(.bgra, 32, 36), try PixelBuffer.noise(.rgba, 64, 36)] {
            let effect = VideoEffect("other") { target, _ in target = picture }
            #expect {
                try frame.image(request([effect]))
            } throws: {
                ($0 as? ObscuraError)?.code == .invalidRequest
            }
        }
    }

    @Test func `an effect that changes nothing changes no format either`() throws {
        for format in [PixelFormat.i420, .nv12, .gray8] {
            let frame = try frame(format)
            let picture = try frame.image(request([.pixellate(side: 1)]))
            #expect(picture.isIdentical(to: frame.buffer))
        }
    }

    @Test func `pictures with effects lie in the frame's pool and go home with it`() throws {
        let pool = PixelBufferPool(capacity: 8)
        do {
            let frame = try frame(.i420, in: pool)
            let small = ImageRequest(pixelFormat: .nv12, size: PixelSize(width: 16, height: 8))
            _ = try frame.image(request([Adder().effect], small))
            // BGRA, with the effect, and small.
            #expect(pool.counts.inUse == 3)
        }
        #expect(pool.counts.inUse == 0)
    }
}
