// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraBase
import ObscuraMedia
import ObscuraMovies

/// Records a movie in real time until it is killed, and says on the standard error how far it has come, in
/// milliseconds: `TestRecorder PATH FRAMES-PER-SECOND [tracks]`, with two cameras, two microphones, subtitles, chapters
/// and locations if `tracks` is there.
@main
struct TestRecorder {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 3, let rate = Int32(arguments[2]) else { exit(64) }
        let hasAll = arguments.dropFirst(3).first == "tracks"
        let video = MovieTrack.Content.video(VideoSettings(frameRate: FrameRate(rate)))
        let audio = MovieTrack.Content.audio(AudioSettings())
        var tracks = [MovieTrack(video, title: "Front"), MovieTrack(audio, title: "Left")]
        if hasAll {
            tracks = [
                tracks[0], MovieTrack(video, title: "Back"), tracks[1],
                MovieTrack(audio, title: "Right", isDefault: true),
                MovieTrack(.subtitles, language: "eng", title: "Captions"), MovieTrack(.chapters),
            ]
            if !arguments[1].hasSuffix("mkv") { tracks.append(MovieTrack(.location)) }
        }
        let writer = try AssetWriter(path: arguments[1], tracks: tracks)
        try writer.startSession(at: .zero)
        let begin = HostTime.now
        let clock = Lock(())
        var number: Int64 = 0
        while true {
            let time = MediaTime(value: number, timescale: rate)
            // A deadline at which nobody calls: the pace of a camera.
            _ = clock.wait(until: begin + time.duration) { _ -> Bool? in nil }
            var buffer = try PixelBuffer(format: .i420, width: 320, height: 180, colorSpace: .bt709)
            try buffer.withMutableBytes(ofPlane: 0) { bytes in
                for offset in 0..<bytes.byteCount {
                    bytes.storeBytes(of: UInt8((offset + Int(number) * 5) % 199), toByteOffset: offset, as: UInt8.self)
                }
            }
            let frame = VideoFrame(buffer: buffer, presentationTime: time, hostTime: .now)
            for track in hasAll ? 0...1 : 0...0 { try await writer.append(.video(frame), to: track) }
            let (first, next) = (number * 48_000 / Int64(rate), (number + 1) * 48_000 / Int64(rate))
            let sound = AudioBuffer(
                format: AudioFormat(), samples: .float32((first * 2..<next * 2).map { Float($0 % 200) / 1000 }),
                presentationTime: MediaTime(value: first, timescale: 48_000), hostTime: .now, position: UInt64(first))
            for track in hasAll ? 2...3 : 1...1 { try await writer.append(.audio(sound), to: track) }
            if hasAll, number % Int64(rate) == 0 {
                let second = number / Int64(rate)
                let half = MediaTime(value: 1, timescale: 2)
                try await writer.append(TimedText("Subtitle \(second)", at: time, duration: half), to: 4)
                try await writer.append(TimedText("Chapter \(second)", at: time), to: 5)
                if tracks.count > 6 {
                    let place = try GeographicLocation(latitude: Double(second), longitude: 1)
                    try await writer.append(TimedLocation(place, at: time), to: 6)
                }
            }
            number += 1
            FileHandle.standardError.write(Data("\(number * 1000 / Int64(rate))\n".utf8))
        }
    }
}
