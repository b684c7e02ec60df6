// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
package import ObscuraMedia

/// What `ffprobe` says about the pictures of a movie.
package struct Probe {
    package struct Frame: Equatable {
        /// Nil where ffprobe does not know it.
        package var time: MediaTime?
        package var duration: MediaTime?
        package var isKey: Bool
    }

    package var frames: [Frame]
    package var pixelFormat: String
    package var rotation: Int?

    package init(_ path: String) throws {
        struct Answer: Decodable {
            struct Frame: Decodable {
                var best_effort_timestamp: Int64?
                var pkt_duration: Int64?
                var duration: Int64?
                var key_frame: Int
            }
            struct Stream: Decodable {
                struct SideData: Decodable { var rotation: Int? }
                var time_base: String
                var pix_fmt: String
                var side_data_list: [SideData]?
            }
            var frames: [Frame]
            var streams: [Stream]
        }
        let data = try Tool.run(
            "ffprobe",
            [
                "-v", "error", "-select_streams", "v:0", "-show_frames", "-show_streams", "-of", "json", path,
            ])
        let answer = try JSONDecoder().decode(Answer.self, from: data)
        guard let stream = answer.streams.first else { throw Tool.Failure(description: "\(path) has no pictures") }
        let parts = stream.time_base.split(separator: "/").compactMap { Int64($0) }
        func time(_ units: Int64) -> MediaTime {
            MediaTime(numerator: Int128(units) * Int128(parts[0]), denominator: Int128(parts[1]))
        }
        frames = answer.frames.map { frame in
            Frame(
                time: frame.best_effort_timestamp.map(time),
                duration: (frame.duration ?? frame.pkt_duration).map(time), isKey: frame.key_frame == 1)
        }
        pixelFormat = stream.pix_fmt
        rotation = stream.side_data_list?.compactMap(\.rotation).first
    }
}
