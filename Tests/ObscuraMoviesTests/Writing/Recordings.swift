// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraMedia
import ObscuraMovies
import TestSupport

/// What the tests record, and where.
enum Recordings {
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

    /// What ffmpeg complains of when it plays the movie; empty for a whole one.
    static func complaints(_ path: String) throws -> String {
        let outcome = try Tool.spawn(["ffmpeg", "-v", "error", "-i", path, "-f", "null", "-"])
        return outcome.code == 0 ? outcome.errors : "code \(outcome.code): \(outcome.errors)"
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
