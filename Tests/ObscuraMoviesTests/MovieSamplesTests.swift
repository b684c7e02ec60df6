// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraMovies

@Suite("Samples of decoded frames")
struct MovieSamplesTests {
    struct Kind: CustomTestStringConvertible, Sendable {
        var name: String
        var codec: [String]
        /// FFmpeg's name of what the decoder gives, or of what it is to be converted to.
        var raw: String
        var format: PixelFormat
        var testDescription: String { name }
    }

    static let kinds: [Kind] = [
        Kind(name: "420.mp4", codec: ["libx264", "-pix_fmt", "yuv420p"], raw: "yuv420p", format: .i420),
        Kind(name: "422.mp4", codec: ["libx264", "-pix_fmt", "yuv422p"], raw: "yuv422p", format: .i422),
        Kind(name: "444.mp4", codec: ["libx264", "-pix_fmt", "yuv444p"], raw: "yuv444p", format: .i444),
        Kind(name: "nv12.nut", codec: ["rawvideo", "-pix_fmt", "nv12"], raw: "nv12", format: .nv12),
        Kind(name: "grey.mkv", codec: ["ffv1", "-pix_fmt", "gray"], raw: "gray", format: .gray8),
        Kind(name: "420p10.mkv", codec: ["libx264", "-pix_fmt", "yuv420p10le"], raw: "yuv420p10le", format: .i010),
        Kind(name: "422p10.mkv", codec: ["libx264", "-pix_fmt", "yuv422p10le"], raw: "yuv422p10le", format: .i210),
        Kind(name: "444p10.mkv", codec: ["libx264", "-pix_fmt", "yuv444p10le"], raw: "yuv444p10le", format: .i410),
        Kind(name: "bgra.mkv", codec: ["ffv1", "-pix_fmt", "bgra"], raw: "bgra", format: .bgra),
        Kind(name: "rgba.nut", codec: ["rawvideo", "-pix_fmt", "rgba"], raw: "rgba", format: .rgba),
        Kind(name: "jpeg.avi", codec: ["mjpeg", "-pix_fmt", "yuvj420p"], raw: "yuvj420p", format: .i420),
        Kind(name: "jpeg422.avi", codec: ["mjpeg", "-pix_fmt", "yuvj422p"], raw: "yuvj422p", format: .i422),
        Kind(name: "vp9.webm", codec: ["libvpx-vp9", "-b:v", "300k"], raw: "yuv420p", format: .i420),
        Kind(name: "rgb24.mkv", codec: ["png", "-pix_fmt", "rgb24"], raw: "rgb24", format: .rgb24),
        Kind(name: "bgr24.nut", codec: ["rawvideo", "-pix_fmt", "bgr24"], raw: "bgr24", format: .bgr24),
        Kind(name: "nv21.nut", codec: ["rawvideo", "-pix_fmt", "nv21"], raw: "nv21", format: .nv21),
        // Converted, without loss.
        Kind(name: "gbrp.mp4", codec: ["libx264rgb", "-qp", "0"], raw: "bgra", format: .bgra),
        Kind(name: "pal8.mkv", codec: ["png", "-pix_fmt", "pal8"], raw: "bgra", format: .bgra),
    ]

    @Test("Every sample is ffmpeg's, also at odd sizes", arguments: kinds, ["160x90", "161x91"])
    func samplesAreEqual(kind: Kind, size: String) throws {
        let path = try TestMovies.path(
            "samples-\(size)-\(kind.name)",
            TestMovies.source(size, rate: "10", seconds: "1") + ["-c:v"] + kind.codec)
        let reading = try Reading(path)
        #expect(reading.error == nil)
        #expect(reading.frames.count == 10)
        #expect(reading.frames.allSatisfy { $0.buffer.format == kind.format })
        let expected = try Tool.run(
            "ffmpeg",
            [
                "-v", "error", "-i", path, "-fps_mode", "passthrough", "-sws_flags", "accurate_rnd+full_chroma_int",
                "-f", "rawvideo", "-pix_fmt", kind.raw, "-",
            ])
        #expect(firstDifference(reading.frames.flatMap(\.buffer.samples), expected) == nil)
    }

    @Test(
        "Packed 4:2:2 keeps its bytes",
        arguments: [("yuyv422", PixelFormat.yuyv), ("uyvy422", .uyvy), ("yvyu422", .yvyu)])
    func packedIsKept(name: String, format: PixelFormat) throws {
        let path = try TestMovies.path(
            "packed-\(name).nut",
            TestMovies.source(rate: "10", seconds: "1") + ["-c:v", "rawvideo", "-pix_fmt", name])
        let reading = try Reading(path)
        let expected = try Tool.run("ffmpeg", ["-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", name, "-"])
        #expect(reading.frames.allSatisfy { $0.buffer.format == format })
        #expect(firstDifference(reading.frames.flatMap(\.buffer.samples), expected) == nil)
    }

    @Test(
        "Packed RGB keeps its bytes in each order",
        arguments: [
            ("bgra", PixelFormat.bgra), ("rgba", .rgba), ("argb", .argb), ("abgr", .abgr), ("bgr0", .bgrx),
            ("rgb0", .rgbx), ("0rgb", .xrgb), ("0bgr", .xbgr),
        ])
    func packedRGBIsKept(name: String, format: PixelFormat) throws {
        try packedIsKept(name: name, format: format)
    }

    @Test("A picture that lies upside down in memory comes upright")
    func negativeStrideIsTurned() throws {
        // Raw pictures in an AVI lie from the bottom up.
        let path = try TestMovies.path(
            "bottom-up.avi", TestMovies.source(rate: "10", seconds: "1") + ["-c:v", "rawvideo", "-pix_fmt", "bgra"])
        let reading = try Reading(path)
        let expected = try Tool.run("ffmpeg", ["-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "bgra", "-"])
        #expect(reading.frames.first?.buffer.format == .bgra)
        #expect(firstDifference(reading.frames.flatMap(\.buffer.samples), expected) == nil)
    }

    @Test(
        "Less common subsampling becomes 4:2:0, 4:2:2 or 4:4:4",
        arguments: [
            ("yuv410p", PixelFormat.i420), ("yuv411p", .i422), ("yuv440p", .i444), ("yuv420p12le", .i010),
            ("gray10le", .i010), ("yuva420p", .i420),
        ])
    func nearestFormatIsChosen(name: String, format: PixelFormat) throws {
        let path = try TestMovies.path(
            "nearest-\(name).nut",
            TestMovies.source(rate: "10", seconds: "1") + ["-c:v", "rawvideo", "-pix_fmt", name, "-strict", "-1"])
        let reading = try Reading(path)
        #expect(reading.frames.count == 10)
        #expect(reading.frames.allSatisfy { $0.buffer.format == format })
    }

    @Test("A frame is the decoder's own memory, and writing to it copies it while the decoder needs it")
    func framesAreNotCopied() throws {
        let path = try TestMovies.h264()
        let reading = try Reading(path)
        let untouched = try Reading(path)
        var picture = try #require(reading.frames.first).buffer
        let alias = picture
        try picture.withMutableBytes(ofPlane: 0) { $0.storeBytes(of: 0xAA, toByteOffset: 0, as: UInt8.self) }
        #expect(!picture.isIdentical(to: alias))
        #expect(firstDifference(alias.samples, untouched.frames[0].buffer.samples) == nil)
    }

    @Test("Writing into a key frame does not change the frames that are decoded after it")
    func referencePicturesAreSafe() throws {
        let path = try TestMovies.h264()
        let expected = try Reading(path).frames.map(\.buffer.samples)
        let reader = try MovieReader(path, options: .oneThread)
        var index = 0
        while var frame = try reader.nextFrame() {
            #expect(firstDifference(frame.buffer.samples, expected[index]) == nil)
            for plane in 0..<frame.buffer.planeCount {
                try frame.buffer.withMutableBytes(ofPlane: plane) { span in
                    for offset in 0..<span.byteCount { span.storeBytes(of: 0, toByteOffset: offset, as: UInt8.self) }
                }
            }
            index += 1
        }
        #expect(index == 50)
    }
}

extension MovieReadingOptions {
    static var oneThread: MovieReadingOptions {
        var options = MovieReadingOptions()
        options.decoderThreads = 1
        return options
    }
}
