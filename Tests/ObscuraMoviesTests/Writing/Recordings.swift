// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraMedia
import ObscuraMovies
import TestSupport
import Testing

/// What the tests record, and where.
enum Recordings {
    /// All codecs whose encoders may run here.
    static let codecs = VideoCodec.allCases.filter(\.mayEncodeHere)

    /// A path in a folder of its own, in which nothing is yet.
    static func path(_ name: String) throws -> String {
        let folder = TestMovies.folder.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder.appending(path: name).path
    }

    /// The names in the folder of `path`, hidden ones too.
    static func neighbours(_ path: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: (path as NSString).deletingLastPathComponent).sorted()
    }

    /// A picture in which a bright bar moves.
    static func frame(
        _ number: Int, at time: MediaTime, duration: MediaTime? = nil, format: PixelFormat = .i420,
        width: Int = 160, height: Int = 90, colorSpace: ColorSpace? = .bt709
    ) throws -> VideoFrame {
        var buffer = try PixelBuffer(format: format, width: width, height: height, colorSpace: colorSpace)
        for plane in 0..<buffer.planeCount {
            let (layout, stride) = (buffer.planes[plane], buffer.bytesPerRow(ofPlane: plane))
            try buffer.withMutableBytes(ofPlane: plane) { bytes in
                for row in 0..<layout.rows {
                    for column in 0..<layout.rowBytes {
                        let value = plane == 0 ? UInt8(40 + (column + row + number * 3) % 128) : 128
                        // The high byte of a deep sample holds only two bits.
                        let isHigh = format.bitDepth > 8 && column % 2 == 1
                        bytes.storeBytes(
                            of: isHigh ? value & 1 : value, toByteOffset: row * stride + column, as: UInt8.self)
                    }
                }
            }
        }
        return VideoFrame(
            buffer: buffer, presentationTime: time, hostTime: HostTime(nanoseconds: time.nanoseconds),
            duration: duration, sequence: UInt64(number))
    }

    /// A picture of noise, which is hard to compress.
    static func noise(_ number: Int, at time: MediaTime, width: Int = 320, height: Int = 180) throws -> VideoFrame {
        var dice = Dice(seed: UInt64(number))
        var buffer = try PixelBuffer(format: .i420, width: width, height: height, colorSpace: .bt709)
        for plane in 0..<3 {
            try buffer.withMutableBytes(ofPlane: plane) { bytes in
                for offset in stride(from: 0, to: bytes.byteCount - 7, by: 8) {
                    bytes.storeBytes(
                        of: dice.next() & 0x7f7f_7f7f_7f7f_7f7f, toByteOffset: offset, as: UInt64.self)
                }
            }
        }
        return VideoFrame(
            buffer: buffer, presentationTime: time, hostTime: HostTime(nanoseconds: time.nanoseconds),
            sequence: UInt64(number))
    }

    /// A tone of 440 Hz from `first` on, in sample frames since `start`.
    static func tone(
        from first: Int, count: Int, format: AudioFormat = AudioFormat(), start: MediaTime = .zero
    ) -> AudioBuffer {
        let samples = (0..<count * format.channelCount).map { index -> Float in
            let frame = first + (format.isInterleaved ? index / format.channelCount : index % count)
            return Float(0.4 * sin(2 * Double.pi * 440 * Double(frame) / Double(format.sampleRate)))
        }
        let time = start + format.duration(ofFrames: first)
        return AudioBuffer(
            format: format, samples: .float32(samples), presentationTime: time,
            hostTime: HostTime(nanoseconds: time.nanoseconds), position: UInt64(first))
    }

    /// Frames at 30 a second and the sound that goes with them, in turn, up to the end.
    static func feed(
        _ writer: AssetWriter, frames: Int, audio: Bool, start: MediaTime = .zero, from: Int = 0,
        format: PixelFormat = .i420, width: Int = 160, height: Int = 90
    ) async throws {
        for number in from..<from + frames {
            let time = start + MediaTime(value: Int64(number), timescale: 30)
            try await writer.append(
                frame(
                    number, at: time, duration: MediaTime(value: 1, timescale: 30), format: format, width: width,
                    height: height))
            if audio { try await writer.append(tone(from: number * 1600, count: 1600, start: start)) }
        }
    }

    /// `ffmpeg` plays the movie without a word.
    static func expectPlays(
        _ path: String, _ options: [String] = [], location: SourceLocation = #_sourceLocation
    ) throws {
        let outcome = try Tool.spawn(["ffmpeg", "-v", "error", "-i", path] + options + ["-f", "null", "-"])
        #expect(outcome.code == 0 && outcome.errors == "", "\(outcome.errors)", sourceLocation: location)
    }
}

/// What `ffprobe` says of a movie's streams.
struct StreamProbe: Decodable {
    struct Stream: Decodable {
        var codec_type: String
        var codec_name: String
        var codec_tag_string: String
        var width: Int?
        var height: Int?
        var pix_fmt: String?
        var color_space: String?
        var color_range: String?
        var color_primaries: String?
        var color_transfer: String?
        var profile: String?
        var sample_rate: String?
        var channels: Int?
        var start_time: String?
        var duration: String?
        var nb_read_packets: String?
        var tags: [String: String]?
    }
    struct Format: Decodable {
        var format_name: String
        var duration: String
        var tags: [String: String]?
    }
    var streams: [Stream]
    var format: Format

    init(_ path: String) throws {
        let data = try Tool.run(
            "ffprobe", ["-v", "error", "-count_packets", "-show_streams", "-show_format", "-of", "json", path])
        self = try JSONDecoder().decode(Self.self, from: data)
    }

    var video: Stream? { streams.first { $0.codec_type == "video" } }
    var audio: Stream? { streams.first { $0.codec_type == "audio" } }

    func seconds(_ text: String?) -> Double { text.flatMap(Double.init) ?? .nan }
}
