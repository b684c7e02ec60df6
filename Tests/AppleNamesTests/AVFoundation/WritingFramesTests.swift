// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import AVFoundation
import ObscuraImaging
import ObscuraMedia
import ObscuraMovies
import TestSupport
import Testing

/// Frames that are written with `AVAssetWriter`.
@Suite("AVAssetWriterInput, frames", .hangLimit) struct WritingFramesTests {
    private let movies = try? WritingMovies()

    private func record(
        _ input: AVAssetWriterInput, _ type: AVFileType = .mp4, count: Int = 3,
        _ picture: () throws -> CVPixelBuffer = { try WritingMovies.pixels() }
    ) async throws -> String {
        let movies = try #require(movies)
        let name = type == .mov ? "movie.mov" : "movie.mp4"
        let writer = try movies.writer(type, name)
        writer.add(input)
        try #require(writer.startWriting(), "\(String(describing: writer.error))")
        writer.startSession(atSourceTime: .zero)
        let adaptor = AVAssetWriterInputPixelBufferAdaptor(assetWriterInput: input)
        for number in 0..<count {
            #expect(adaptor.append(try picture(), withPresentationTime: WritingMovies.time(number)))
        }
        input.markAsFinished()
        await writer.finishWriting()
        try #require(writer.status == .completed, "\(String(describing: writer.error))")
        return movies.folder(name)
    }

    @Test("Thirty BGRA frames are read back with their exact times and durations")
    func exactTimes() async throws {
        let movies = try #require(movies)
        let writer = try movies.writer()
        let input = WritingMovies.video()
        let adaptor = AVAssetWriterInputPixelBufferAdaptor(assetWriterInput: input)
        #expect(writer.status == .unknown && writer.canAdd(input) && !input.isReadyForMoreMediaData)
        writer.add(input)
        #expect(writer.inputs == [input])
        #expect(writer.startWriting() && writer.status == .writing)
        // Times of a camera: far from zero, and not all at the same distance.
        let start = MediaTime(value: 23_891_760_198_435, timescale: 1_000_000_000)
        let offsets = (0..<30).map { MediaTime(value: Int64($0) * 1001 + ($0 % 7 == 3 ? 90 : 0), timescale: 30_000) }
        writer.startSession(atSourceTime: CMTime(start))
        for offset in offsets {
            #expect(input.isReadyForMoreMediaData)
            #expect(adaptor.append(try WritingMovies.pixels(), withPresentationTime: CMTime(start + offset)))
        }
        input.markAsFinished()
        #expect(!input.isReadyForMoreMediaData)
        await writer.finishWriting()
        #expect(writer.status == .completed && writer.error == nil)
        #expect(movies.folder.names() == ["movie.mp4"])

        let frames = try Probe(movies.path).frames
        try #require(frames.count == 30)
        for (frame, offset) in zip(frames, offsets) {
            // The file counts in microseconds.
            let time = try #require(frame.time)
            #expect(abs((time - offset).nanoseconds) <= 1000, "\(time) instead of \(offset)")
        }
        for (number, frame) in frames.dropLast().enumerated() {
            let duration = offsets[number + 1] - offsets[number]
            #expect(abs((try #require(frame.duration) - duration).nanoseconds) <= 2000)
        }
        for frame in try WritingMovies.frames(movies.path) {
            let seen = try ImageTransformer.transform(frame.buffer, ImageRequest(pixelFormat: .bgra))
            let pixel = seen.withBytes(ofPlane: 0) { bytes in
                (0..<3).map { bytes.unsafeLoad(fromByteOffset: $0, as: UInt8.self) }
            }
            for (value, wanted) in zip(pixel, [200, 100, 50] as [UInt8]) { #expect(abs(Int(value) - Int(wanted)) <= 4) }
        }
    }

    @Test("Sample buffers keep their times, and the last one its duration")
    func sampleBuffers() async throws {
        let movies = try #require(movies)
        let writer = try movies.writer()
        let input = WritingMovies.video()
        writer.add(input)
        writer.startWriting()
        writer.startSession(atSourceTime: WritingMovies.time(100))
        for number in 100..<110 {
            let frame = try WritingMovies.frame(at: WritingMovies.time(number), duration: WritingMovies.time(3))
            #expect(input.append(frame))
        }
        await writer.finishWriting()
        let frames = try Probe(movies.path).frames
        #expect(frames.map(\.time) == (0..<10).map { MediaTime(value: Int64($0), timescale: 30) })
        #expect(frames.dropLast().allSatisfy { $0.duration == MediaTime(value: 1, timescale: 30) })
        #expect(frames.last?.duration == MediaTime(value: 3, timescale: 30))
    }

    @Test("Samples before the start of the session are skipped, and its end is that of the last frame")
    func session() async throws {
        let movies = try #require(movies)
        let writer = try movies.writer()
        let input = WritingMovies.video()
        writer.add(input)
        writer.startWriting()
        writer.startSession(atSourceTime: WritingMovies.time(10))
        for number in 5..<15 { #expect(input.append(try WritingMovies.frame(at: WritingMovies.time(number)))) }
        writer.endSession(atSourceTime: WritingMovies.time(40))
        // A second segment follows without a gap.
        writer.startSession(atSourceTime: WritingMovies.time(90))
        for number in 90..<93 { #expect(input.append(try WritingMovies.frame(at: WritingMovies.time(number)))) }
        await writer.finishWriting()
        #expect(writer.status == .completed)
        let times = try Probe(movies.path).frames.map { try #require($0.time) }
        #expect(times == [0, 1, 2, 3, 4, 30, 31, 32].map { MediaTime(value: $0, timescale: 30) })
    }

    @Test("The pixels are those at the time of the call")
    func changedPixels() async throws {
        var shared: CVPixelBuffer?
        let path = try await record(WritingMovies.video(), count: 2) {
            // The second frame is drawn into the buffer of the first one.
            guard let shared else {
                let made = try WritingMovies.pixels((0, 0, 0))
                shared = made
                return made
            }
            WritingMovies.fill(shared, (255, 255, 255))
            return shared
        }
        let luma = try WritingMovies.frames(path).map { frame in
            frame.buffer.withBytes(ofPlane: 0) { $0.unsafeLoad(as: UInt8.self) }
        }
        try #require(luma.count == 2)
        #expect(luma[0] < 30 && luma[1] > 220)
    }

    static let codecs: [(AVVideoCodecType, VideoCodec)] = [(.h264, .h264), (.hevc, .hevc), (.jpeg, .mjpeg)]

    @Test("Each codec is written", arguments: codecs.filter(\.1.mayEncodeHere), [AVFileType.mp4, .mov])
    func codec(codec: (AVVideoCodecType, VideoCodec), type: AVFileType) async throws {
        let path = try await record(WritingMovies.video([AVVideoCodecKey: codec.0.rawValue]), type)
        let stream = try #require(try MovieContents.read(path).streams.first)
        #expect(stream.codecName == codec.1.rawValue && stream.frameCount == 3)
        #expect(stream.size == PixelSize(width: 160, height: 96))
    }

    @Test(
        "Frames of another aspect ratio are stretched, cropped, or have black borders",
        arguments: [
            (nil, true, true), (AVVideoScalingModeResize, true, true), (AVVideoScalingModeResizeAspect, true, false),
            (AVVideoScalingModeResizeAspectFill, false, true),
        ] as [(String?, Bool, Bool)])
    func scaling(mode: String?, showsSides: Bool, isFilled: Bool) async throws {
        let input = WritingMovies.video(
            [
                AVVideoWidthKey: 96, AVVideoHeightKey: 96, AVVideoScalingModeKey: mode as Any,
            ].filter { $0.key != AVVideoScalingModeKey || mode != nil })
        // White, with gray sides of a quarter each.
        let path = try await record(input) {
            let pixels = try WritingMovies.pixels((255, 255, 255), width: 192, height: 96)
            WritingMovies.fill(pixels, (128, 128, 128), columns: 0..<48)
            WritingMovies.fill(pixels, (128, 128, 128), columns: 144..<192)
            return pixels
        }
        let frame = try #require(try WritingMovies.frames(path).first).buffer
        #expect(frame.size == PixelSize(width: 96, height: 96))
        let stride = frame.bytesPerRow(ofPlane: 0)
        func luma(_ x: Int, _ y: Int) -> UInt8 {
            frame.withBytes(ofPlane: 0) { $0.unsafeLoad(fromByteOffset: y * stride + x, as: UInt8.self) }
        }
        #expect((luma(8, 48) < 180) == showsSides && luma(48, 48) > 220)
        #expect((luma(48, 4) > 220) == isFilled)
    }

    @Test(
        "A transform turns and mirrors the frames of the movie",
        arguments: [
            (CGAffineTransform.identity, [0, 1, 2, 3]),
            (CGAffineTransform(rotationAngle: .pi / 2), [2, 0, 3, 1]),
            (CGAffineTransform(rotationAngle: .pi).translatedBy(x: 5, y: 6), [3, 2, 1, 0]),
            (CGAffineTransform(rotationAngle: -.pi / 2), [1, 3, 0, 2]),
            (CGAffineTransform(scaleX: -1, y: 1), [1, 0, 3, 2]),
            (CGAffineTransform(scaleX: 1, y: -1), [2, 3, 0, 1]),
            (CGAffineTransform(rotationAngle: .pi / 2).scaledBy(x: -1, y: 1), [3, 1, 2, 0]),
            (CGAffineTransform(a: 0, b: 1, c: 1, d: 0, tx: 0, ty: 0), [0, 2, 1, 3]),
        ] as [(CGAffineTransform, [Int])])
    func transform(transform: CGAffineTransform, corners: [Int]) async throws {
        let input = WritingMovies.video()
        input.transform = transform
        let levels: [UInt8] = [40, 100, 160, 220]
        // Four quarters: from left to right, from top to bottom.
        let path = try await record(input) {
            let pixels = try WritingMovies.pixels()
            CVPixelBufferLockBaseAddress(pixels, [])
            defer { CVPixelBufferUnlockBaseAddress(pixels, []) }
            let base = try #require(CVPixelBufferGetBaseAddress(pixels))
            for y in 0..<96 {
                for x in 0..<160 {
                    let level = levels[(y < 48 ? 0 : 2) + (x < 80 ? 0 : 1)]
                    let offset = y * CVPixelBufferGetBytesPerRow(pixels) + 4 * x
                    for byte in 0..<3 { base.storeBytes(of: level, toByteOffset: offset + byte, as: UInt8.self) }
                }
            }
            return pixels
        }
        let probe = try Probe(path)
        #expect(probe.rotation == nil || probe.rotation == 0)
        let frame = try #require(try WritingMovies.frames(path).first).buffer
        let isTransposed = abs(transform.b) > 0.5
        #expect(frame.size == PixelSize(width: isTransposed ? 96 : 160, height: isTransposed ? 160 : 96))
        let stride = frame.bytesPerRow(ofPlane: 0)
        // Gray in limited range.
        func distance(_ level: UInt8, _ luma: UInt8) -> Int { abs(16 + Int(level) * 219 / 255 - Int(luma)) }
        let seen = [(1, 1), (3, 1), (1, 3), (3, 3)].map { x, y -> Int in
            let offset = y * frame.height / 4 * stride + x * frame.width / 4
            let luma = frame.withBytes(ofPlane: 0) { $0.unsafeLoad(fromByteOffset: offset, as: UInt8.self) }
            return levels.indices.min { one, other in distance(levels[one], luma) < distance(levels[other], luma) }
                ?? -1
        }
        #expect(seen == corners)
    }
}
