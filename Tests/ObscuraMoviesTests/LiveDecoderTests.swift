// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraCapture
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraFFmpeg
@testable import ObscuraMovies

@Suite("Cameras that send H.264")
struct LiveDecoderTests {
    private static let format = VideoFormat(pixelFormat: .h264, width: 160, height: 90, frameRate: FrameRate(10))

    private func decoder() throws -> any FrameDecoder {
        try #require(try FFmpegDecoders().makeDecoder(for: Self.format))
    }

    private func frame(_ data: [UInt8], _ number: Int = 0) -> EncodedFrame {
        EncodedFrame(
            format: .h264, data: data, width: 160, height: 90, isKeyFrame: H264AccessUnit.isKeyFrame(data),
            presentationTime: MediaTime(value: Int64(number), timescale: 10), hostTime: .now,
            sequence: UInt64(number))
    }

    @Test("Each picture comes with its own packet, as ffmpeg decodes it")
    func lowDelay() throws {
        let stream = try H264Stream.camera()
        #expect(stream.accessUnits.count == 20)
        let decoder = try decoder()
        var samples: [UInt8] = []
        for (number, unit) in stream.accessUnits.enumerated() {
            let results = try decoder.decode(frame(unit, number), id: UInt64(1000 + number))
            #expect(results.map(\.id) == [UInt64(1000 + number)])
            let picture = try #require(results.first?.picture)
            #expect(picture.format == .i420 && picture.colorSpace == .assumed)
            samples += picture.samples
        }
        #expect(decoder.drain().isEmpty)
        #expect(firstDifference(samples, try stream.decoded()) == nil)
    }

    @Test("Pictures that are shown in another order come in that order, each with its own number")
    func reordering() throws {
        let stream = try H264Stream("reordered.h264", ["-bf", "3", "-g", "12"])
        let decoder = try decoder()
        var results: [DecodedFrame] = []
        for (number, unit) in stream.accessUnits.enumerated() {
            results += try decoder.decode(frame(unit, number), id: UInt64(number))
        }
        results += decoder.drain()
        #expect(results.map(\.id).sorted() == Array(0..<20))
        #expect(results.map(\.id) != Array(0..<20))
        #expect(firstDifference(results.flatMap { $0.picture?.samples ?? [] }, try stream.decoded()) == nil)
    }

    @Test("Several slices, colours and another size in the middle are the stream's own")
    func streams() throws {
        let tagged = try H264Stream(
            "tagged.h264", size: "322x182", seconds: "1",
            [
                "-tune", "zerolatency", "-slices", "4", "-colorspace", "bt709", "-color_primaries", "bt709",
                "-color_trc",
                "bt709", "-color_range", "pc",
            ])
        let decoder = try decoder()
        let plain = try H264Stream.camera()
        var pictures: [PixelBuffer] = []
        for unit in [plain.accessUnits[0]] + tagged.accessUnits {
            pictures += try decoder.decode(frame(unit), id: UInt64(pictures.count)).compactMap(\.picture)
        }
        pictures += decoder.drain().compactMap(\.picture)
        #expect(pictures.map(\.width) == [160] + [Int](repeating: 322, count: 10))
        let space = try #require(pictures.last).colorSpace
        #expect(space.matrix == .bt709 && space.range == .full && !space.isAssumed)
        #expect(firstDifference(pictures.dropFirst().flatMap(\.samples), try tagged.decoded()) == nil)
    }

    @Test("Pictures that are far larger than the camera's mode are not decoded")
    func largePictures() throws {
        // One side is too long for any camera of this mode, of which the other one is within its limits.
        let wide = try H264Stream("wide.h264", size: "4112x64", seconds: "0.3", ["-tune", "zerolatency"])
        let decoder = try decoder()
        for unit in wide.accessUnits {
            let results = (try? decoder.decode(frame(unit), id: 1)) ?? []
            #expect(results.allSatisfy { $0.picture == nil })
        }
        #expect(wide.accessUnits.count == 3 && decoder.drain().allSatisfy { $0.picture == nil })
    }

    @Test("A damaged frame gives no picture, and the next key frame is whole")
    func damage() throws {
        let stream = try H264Stream.camera()
        let expected = [UInt8](try stream.decoded())
        let pictureBytes = expected.count / 20
        for cut in stride(from: 0, to: stream.accessUnits[5].count - 1, by: 23) {
            let decoder = try decoder()
            for number in 0..<5 { _ = try decoder.decode(frame(stream.accessUnits[number]), id: UInt64(number)) }
            let damaged = frame(Array(stream.accessUnits[5].prefix(cut)))
            let results = (try? decoder.decode(damaged, id: 5)) ?? []
            #expect(results.allSatisfy { $0.picture == nil }, "\(cut) bytes")
            #expect(decoder.drain().allSatisfy { $0.picture == nil })
            let next = try decoder.decode(frame(stream.accessUnits[10]), id: 10)
            #expect(next.map(\.id) == [10])
            let place = (10 * pictureBytes)..<(11 * pictureBytes)
            #expect(firstDifference(try #require(next.first?.picture).samples, expected[place]) == nil)
        }
    }

    @Test("A picture that fails takes none of those before and behind it along")
    func failingPicture() {
        var answers: [(Decoder.Received, Int?)] = [
            (.frame, 1), (.failed(-5), nil), (.frame, nil), (.frame, 2), (.failed(-6), nil), (.frame, 3), (.ended, nil),
            (.frame, 4),
        ]
        var pictures: [Int] = []
        #expect(LiveDecoder.collect(into: &pictures) { answers.removeFirst() } == -5)
        #expect(pictures == [1, 2, 3])
    }

    @Test("A decoder that fails for ever is asked no more")
    func endlessFailure() {
        var pictures: [Int] = []
        var count = 0
        let code = LiveDecoder.collect(into: &pictures) {
            count += 1
            return (.failed(-5), nil)
        }
        #expect(code == -5 && count == Decoder.tagCount && pictures.isEmpty)
    }

    @Test("Any bytes are an error or a picture")
    func garbage() throws {
        let stream = try H264Stream.camera()
        var dice = Dice(seed: 5)
        let decoder = try decoder()
        #expect(throws: ObscuraError.self) { try decoder.decode(frame([]), id: 0) }
        for round in 0..<300 {
            var bytes = stream.accessUnits[round % 20]
            for _ in 0..<Int.random(in: 1...20, using: &dice) {
                bytes[Int.random(in: 0..<bytes.count, using: &dice)] = .random(in: 0...255, using: &dice)
            }
            for result in (try? decoder.decode(frame(bytes), id: UInt64(round))) ?? [] {
                if let picture = result.picture { #expect(picture.width > 0) }
            }
            if round % 50 == 49 { _ = decoder.drain() }
        }
    }

    @Test("There is a decoder for H.264, and none is needed for the others")
    func formats() throws {
        for format in PixelFormat.allCases {
            let decoder = try FFmpegDecoders().makeDecoder(for: VideoFormat(pixelFormat: format, width: 8, height: 8))
            // No camera is asked for HEVC; a driver that gives it all the same is refused.
            #expect((decoder != nil) == (format == .h264))
        }
    }

    @Test(
        "Key frames are known by their bytes",
        arguments: [
            ("key-plain.h264", ["-g", "5", "-bf", "0"]), ("key-open.h264", ["-g", "5", "-x264-params", "open-gop=1"]),
            ("key-refresh.h264", ["-g", "10", "-bf", "0", "-intra-refresh", "1"]),
        ])
    func keyFrames(name: String, arguments: [String]) throws {
        let stream = try H264Stream(name, arguments)
        let answer = try Tool.run(
            "ffprobe",
            ["-v", "error", "-show_entries", "packet=flags", "-of", "csv=p=0", stream.path])
        let expected = String(decoding: answer, as: UTF8.self).split(separator: "\n").map { $0.contains("K") }
        #expect(expected.count == 20 && expected.contains(true) && expected.contains(false))
        #expect(stream.accessUnits.map(H264AccessUnit.isKeyFrame) == expected)
    }

    @Test("A session gets every picture of a camera, and a damaged one is counted", .hangLimit)
    func session() async throws {
        let stream = try H264Stream.camera()
        var units = stream.accessUnits
        // The last one of a group: nothing else needs it.
        units[9] = Array(units[9].prefix(units[9].count / 2))
        let script = units.enumerated().map { ReplayEvent(at: .milliseconds($0.offset), .encoded(frame($0.element))) }
        let driver = ReplayDriver(
            formats: [Self.format], script: script + [ReplayEvent(at: .milliseconds(20), .end)],
            decoders: FFmpegDecoders())
        let session = CaptureSession()
        let output = VideoDataOutput(latePolicy: .lossless(4))
        try await session.configure { configuration in
            try configuration.addInput(CaptureDeviceInput(device: CaptureDevice(driver: driver)))
            try configuration.addOutput(output)
        }
        var loop = output.frames.makeAsyncIterator()
        try await session.start()
        var samples: [[UInt8]] = []
        var sequences: [UInt64] = []
        while let frame = try await loop.next() {
            sequences.append(frame.sequence)
            samples.append(frame.buffer.samples)
        }
        #expect(sequences == Array(0..<9) + Array(10..<20))
        let expected = [UInt8](try stream.decoded())
        let length = expected.count / 20
        for (sequence, picture) in zip(sequences, samples) {
            let place = (Int(sequence) * length)..<((Int(sequence) + 1) * length)
            #expect(firstDifference(picture, expected[place]) == nil)
        }
        let books = try #require(session.ledger.readers.last).frames
        #expect(books.isBalanced && books.offered == 20)
        #expect(books.dropped[.deviceError] == 1 && books.dropped.total == 1)
    }
}
