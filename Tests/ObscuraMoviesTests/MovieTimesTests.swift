// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraMovies

@Suite("Times and counts of frames")
struct MovieTimesTests {
    /// Name, and what makes it.
    static let movies: [(name: String, arguments: [String])] = [
        ("b-frames.mp4", TestMovies.source() + ["-c:v", "libx264", "-bf", "3", "-g", "12"]),
        ("ntsc.mp4", TestMovies.source(rate: "30000/1001") + ["-c:v", "libx264", "-bf", "2"]),
        ("odd.mkv", TestMovies.source("641x361", seconds: "1") + ["-c:v", "libx264", "-pix_fmt", "yuv444p"]),
        ("vp9.webm", TestMovies.source() + ["-c:v", "libvpx-vp9", "-b:v", "300k", "-deadline", "realtime"]),
        ("hevc.mp4", TestMovies.source() + ["-c:v", "libx265", "-x265-params", "log-level=none"]),
        ("motion.avi", TestMovies.source() + ["-c:v", "mjpeg", "-pix_fmt", "yuvj420p"]),
        ("program.mpg", TestMovies.source() + ["-c:v", "mpeg2video", "-bf", "2"]),
        ("transport.ts", TestMovies.source() + ["-c:v", "libx264", "-bf", "3"]),
        ("flash.flv", TestMovies.source() + ["-c:v", "flv1"]),
        ("animated.gif", TestMovies.source(rate: "10") + ["-c:v", "gif"]),
        (
            "variable.mkv",
            TestMovies.source() + [
                "-vf", "select='not(mod(n,3))+not(mod(n,7))'", "-fps_mode", "vfr", "-c:v", "libx264", "-bf", "2",
            ]
        ),
        (
            "fragments.mp4",
            TestMovies.source() + ["-c:v", "libx264", "-g", "10", "-movflags", "frag_keyframe+empty_moov"]
        ),
    ]

    @Test("Times, durations and the number of frames are ffprobe's, as fractions", arguments: movies)
    func timesAreExact(movie: (name: String, arguments: [String])) throws {
        let path = try TestMovies.path(movie.name, movie.arguments)
        let (reading, probe) = (try Reading(path), try Probe(path))
        #expect(reading.error == nil)
        #expect(reading.frames.count == probe.frames.count)
        #expect(!probe.frames.isEmpty)
        #expect(zip(reading.times, reading.times.dropFirst()).allSatisfy { $0 < $1 })
        for (frame, expected) in zip(reading.frames, probe.frames) {
            if let time = expected.time { #expect(frame.presentationTime == time) }
            if let duration = expected.duration { #expect(frame.duration == duration) }
        }
        #expect(reading.frames.map(\.sequence) == (0..<UInt64(reading.frames.count)).map { $0 })
        #expect(reading.frames.allSatisfy { $0.attachments.gap == 0 && !$0.attachments.isDiscontinuity })
    }

    @Test("Audio that was read ahead is not returned after audio that was passed on compressed")
    func formerAudio() throws {
        let path = try TestMovies.path(
            "ahead.mp4",
            TestMovies.source(seconds: "3") + ["-f", "lavfi", "-i", "sine=duration=3", "-c:v", "libx264", "-bf", "3"])
        let reader = try MovieReader(path)
        for _ in 0..<6 { _ = try reader.next(takingSound: true, EncodedWish()) }
        let second = MediaTime(value: 1, timescale: 1)
        while let element = try reader.next(takingSound: true, EncodedWish(pictures: .none, sound: .only)) {
            if case .encodedSound(let packet) = element, packet.presentationTime > second { break }
        }
        while let element = try reader.next(takingSound: true, EncodedWish()) {
            guard case .sound(let sound) = element else { continue }
            #expect(sound.presentationTime > second)
            break
        }
    }

    @Test("An edit list cuts the frames that ffprobe cuts, and is no damage")
    func editListIsKept() throws {
        // Copying from the middle of a group keeps the frames before the cut, and an edit list hides them.
        let path = try TestMovies.path("edited.mp4", ["-ss", "0.7", "-i", try TestMovies.h264(), "-c", "copy"])
        let reader = try MovieReader(path)
        let (reading, probe) = (Reading(reader), try Probe(path))
        #expect(reading.error == nil)
        #expect(reading.times == probe.frames.map(\.time))
        #expect(reading.frames.count < 50)
        #expect(reader.info?.frameCount == reading.frames.count)
    }

    @Test("A bare stream without times gets the times of its rate")
    func bareStreamHasTimes() throws {
        let path = try TestMovies.path(
            "bare.h264", TestMovies.source(rate: "50", seconds: "1") + ["-c:v", "libx264", "-bf", "0", "-r", "50"])
        let reading = try Reading(path)
        #expect(reading.frames.count == 50)
        let step = MediaTime(value: 1, timescale: 50)
        #expect(zip(reading.times, reading.times.dropFirst()).allSatisfy { $1 - $0 == step })
    }

    @Test("What a movie says about itself is right")
    func infoIsRight() throws {
        let info = try MovieInfo.read(try TestMovies.h264())
        #expect(info.codecName == "h264")
        #expect(info.containerName.contains("mp4"))
        #expect(info.format == VideoFormat(pixelFormat: .i420, width: 160, height: 90, frameRate: FrameRate(25)))
        #expect(info.duration == MediaTime(value: 2, timescale: 1))
        #expect(info.frameCount == 50)
        #expect(!info.isLive)
    }
}
