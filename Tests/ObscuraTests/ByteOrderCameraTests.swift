// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Obscura
import ObscuraBase
import ObscuraDrivers
import ObscuraMedia
import ObscuraMovies
import TestSupport
import Testing

/// Cameras whose RGB has its bytes in another order: every output of a session takes their frames.
@Suite(.hangLimit) struct ByteOrderCameraTests {
    private let folder: TemporaryFolder
    private let rate = FrameRate(30)

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A frame of one color; alpha, or the undefined byte, is 0.
    private func picture(_ format: PixelFormat, red: UInt8, green: UInt8, blue: UInt8) throws -> PixelBuffer {
        let pixel: [UInt8] =
            switch format {
            case .argb, .xrgb: [0, red, green, blue]
            case .abgr, .xbgr: [0, blue, green, red]
            case .rgbx: [red, green, blue, 0]
            default: [blue, green, red, 0]
            }
        var picture = try PixelBuffer(format: format, width: 160, height: 90)
        let stride = picture.bytesPerRow(ofPlane: 0)
        try picture.withMutableBytes(ofPlane: 0) { bytes in
            for place in 0..<(4 * 160 * 90) {
                let offset = place / (4 * 160) * stride + place % (4 * 160)
                bytes.storeBytes(of: pixel[place % 4], toByteOffset: offset, as: UInt8.self)
            }
        }
        return picture
    }

    /// Returns the largest difference of any byte of a picture in BGRA from the pixel.
    private func difference(_ picture: PixelBuffer, from pixel: [Int]) throws -> Int {
        let bytes = try ImageTransformer.transform(picture, ImageRequest(pixelFormat: .bgra)).packedBytes()
        return bytes.indices.map { abs(Int(bytes[$0]) - pixel[$0 % 4]) }.max() ?? .max
    }

    @Test(
        "A camera is delivered, shown, photographed and recorded in its colors, and opaque",
        arguments: [PixelFormat.bgrx, .rgbx, .xrgb, .xbgr])
    func outputs(format: PixelFormat) async throws {
        let source = try picture(format, red: 200, green: 100, blue: 50)
        let camera = ReplayDriver(
            formats: [VideoFormat(pixelFormat: format, width: 160, height: 90, frameRate: rate)],
            script: ReplayEvent.frames(1800, of: source, at: rate))
        let (plain, converted) = (VideoDataOutput(name: "plain"), VideoDataOutput(name: "bgra", pixelFormat: .bgra))
        let (preview, photos, movie) = (PreviewOutput(), PhotoOutput(), MovieFileOutput(audio: nil))
        let view = preview.subscribe(size: PixelSize(width: 64, height: 36))
        let session = try await CaptureSession.of(camera, [plain, converted, preview, photos, movie])
        var frames = (
            plain.frames.makeAsyncIterator(), converted.frames.makeAsyncIterator(), view.frames.makeAsyncIterator()
        )
        try await session.start()
        let opaque = [50, 100, 200, 255]
        #expect(try #require(try await frames.0.next()).buffer.format == format)
        let delivered = try #require(try await frames.1.next()).buffer
        #expect(try delivered.format == .bgra && difference(delivered, from: opaque) == 0)
        // Scaling by libyuv loses up to 2.
        let shown = try #require(try await frames.2.next()).buffer
        #expect(try shown.format == .bgra && difference(shown, from: opaque) <= 2)
        #expect(shown.packedBytes().enumerated().allSatisfy { $0.offset % 4 != 3 || $0.element == 255 })

        var settings = PhotoSettings()
        settings.format = .png()
        let png = try PNGDecoder.decode(try await photos.capture(settings).data)
        #expect(try difference(png, from: opaque) == 0)
        settings.format = .jpeg(quality: 95)
        let jpeg = try JPEGDecoder.decode(try await photos.capture(settings).data)
        #expect(try difference(jpeg, from: opaque) <= 4)

        let path = folder("movie.mp4")
        try await movie.startRecording(to: path)
        while let frame = try await frames.0.next(), movie.recordedDuration.seconds < 0.5 {
            #expect(frame.buffer.format == format)
        }
        let result = try #require(await movie.stopRecording())
        await session.stop()
        #expect(result.isUsable)
        let reader = try MovieReader(path)
        var count = 0
        while let frame = try reader.nextFrame() {
            #expect(try difference(frame.buffer, from: opaque) <= 6)
            count += 1
        }
        #expect(count >= 10)
    }

    @Test("Alpha of a camera is kept where the result has alpha", arguments: [PixelFormat.argb, .abgr])
    func alpha(format: PixelFormat) async throws {
        let source = try picture(format, red: 200, green: 100, blue: 50)
        let camera = ReplayDriver(
            formats: [VideoFormat(pixelFormat: format, width: 160, height: 90, frameRate: rate)],
            script: ReplayEvent.frames(1800, of: source, at: rate))
        let output = VideoDataOutput(pixelFormat: .bgra)
        let session = try await CaptureSession.of(camera, [output])
        var frames = output.frames.makeAsyncIterator()
        try await session.start()
        let delivered = try #require(try await frames.next()).buffer
        await session.stop()
        #expect(try difference(delivered, from: [50, 100, 200, 0]) == 0)
    }

    @Test("A reader that asks for an order that only cameras have is told so before the session starts")
    func request() async throws {
        let output = VideoDataOutput(pixelFormat: .xrgb)
        let camera = ReplayDriver(
            formats: [VideoFormat(pixelFormat: .bgrx, width: 160, height: 90, frameRate: rate)], script: [])
        await #expect(throws: ObscuraError.self) {
            let session = try await CaptureSession.of(camera, [output])
            try await session.start()
        }
    }
}
