// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraMedia
import TestSupport

@testable import ObscuraMovies

/// All that a reader gave with its sound, and the error with which it ended.
struct Hearing {
    var sounds: [AudioBuffer] = []
    var frames: [VideoFrame] = []
    /// The times of both in the order in which they came.
    var times: [MediaTime] = []
    var error: ObscuraError?

    init(_ reader: MovieReader, limit: Int = .max) {
        do {
            while sounds.count < limit, let element = try reader.next(takingSound: true) {
                times.append(element.presentationTime)
                switch element {
                case .picture(let frame): frames.append(frame)
                case .sound(let sound): sounds.append(sound)
                case .encodedPicture, .encodedSound: break
                }
            }
        } catch {
            self.error = error
        }
    }

    init(_ path: String, _ options: MovieReadingOptions = MovieReadingOptions(), limit: Int = .max) throws {
        self.init(try MovieReader(path, options: options, needsPictures: false), limit: limit)
    }

    /// Where the sound ends.
    var end: MediaTime? { sounds.last.map { $0.presentationTime + $0.duration } }

    /// Interleaved.
    var samples: [Float] { sounds.samples }
}

extension [AudioBuffer] {
    /// As numbers with full scale 1, interleaved.
    var samples: [Float] {
        flatMap { sound in
            (0..<sound.frameCount).flatMap { frame in
                (0..<sound.format.channelCount).map { sound[frame: frame, channel: $0] }
            }
        }
    }

    /// Whether each begins where the one before ends.
    var isUnbroken: Bool {
        zip(self, dropFirst()).allSatisfy { $0.position + UInt64($0.frameCount) == $1.position }
    }
}

/// The first sound of a file as `ffmpeg` decodes it, interleaved.
func decodedByFFmpeg(_ path: String) throws -> [Float] {
    let data = try Tool.run("ffmpeg", ["-v", "error", "-i", path, "-map", "0:a:0", "-f", "f32le", "-"])
    return data.withUnsafeBytes { bytes in
        (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: Float.self) }
    }
}

/// Times and lengths of the decoded frames of the first sound, as `ffprobe` gives them.
func soundFrames(_ path: String) throws -> [(time: MediaTime?, count: Int)] {
    struct Answer: Decodable {
        struct Frame: Decodable {
            var best_effort_timestamp: Int64?
            var nb_samples: Int
        }
        struct Stream: Decodable { var time_base: String }
        var frames: [Frame]
        var streams: [Stream]
    }
    let data = try Tool.run(
        "ffprobe", ["-v", "error", "-select_streams", "a:0", "-show_frames", "-show_streams", "-of", "json", path])
    let answer = try JSONDecoder().decode(Answer.self, from: data)
    let parts = (answer.streams.first?.time_base ?? "").split(separator: "/").compactMap { Int128($0) }
    guard parts.count == 2 else { throw Tool.Failure(description: "\(path) has no sound") }
    return answer.frames.map { frame in
        let time = frame.best_effort_timestamp.map {
            MediaTime(numerator: Int128($0) * parts[0], denominator: parts[1])
        }
        return (time, frame.nb_samples)
    }
}

/// Where two runs of samples begin to differ by more than `tolerance`; nil where they do not, and are as long.
func firstDifference(_ lhs: [Float], _ rhs: [Float], tolerance: Float) -> Int? {
    let place = zip(lhs, rhs).enumerated().first { abs($1.0 - $1.1) > tolerance }?.offset
    return place ?? (lhs.count == rhs.count ? nil : Swift.min(lhs.count, rhs.count))
}
