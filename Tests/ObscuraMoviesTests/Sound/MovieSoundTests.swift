// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraMovies

@Suite("The sound of movies")
struct MovieSoundTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var codec: [String]
        var rate = 48_000
        var channels = "stereo"
        var isFilm = false
        var format: AudioFormat

        var testDescription: String { name }

        func path() throws -> String {
            if isFilm { return try SoundFiles.film(name, codec) }
            return try SoundFiles.sound(name, codec, SoundFiles.noise("1.3", rate: rate, channels: channels))
        }
    }

    static let cases = [
        Case(name: "aac.m4a", codec: ["-c:a", "aac"], format: AudioFormat(isInterleaved: false)),
        Case(name: "noise.mp4", codec: ["-c:a", "aac"], isFilm: true, format: AudioFormat(isInterleaved: false)),
        Case(
            name: "aac.ts", codec: ["-c:a", "aac"], rate: 44_100,
            format: AudioFormat(sampleRate: 44_100, isInterleaved: false)),
        Case(name: "opus.mkv", codec: ["-c:a", "libopus"], isFilm: true, format: AudioFormat(isInterleaved: false)),
        Case(name: "opus.webm", codec: ["-c:a", "libopus"], isFilm: true, format: AudioFormat(isInterleaved: false)),
        Case(name: "opus.ogg", codec: ["-c:a", "libopus"], format: AudioFormat(isInterleaved: false)),
        Case(name: "vorbis.ogg", codec: ["-c:a", "libvorbis"], format: AudioFormat(isInterleaved: false)),
        Case(name: "s16.flac", codec: ["-sample_fmt", "s16"], format: AudioFormat(sampleType: .int16)),
        Case(name: "s24.flac", codec: ["-sample_fmt", "s32"], format: AudioFormat(sampleType: .int32)),
        Case(
            name: "plain.mp3", codec: ["-c:a", "libmp3lame"], rate: 44_100,
            format: AudioFormat(sampleRate: 44_100, isInterleaved: false)),
        Case(name: "s16.wav", codec: ["-c:a", "pcm_s16le"], format: AudioFormat(sampleType: .int16)),
        Case(name: "s24.wav", codec: ["-c:a", "pcm_s24le"], format: AudioFormat(sampleType: .int32)),
        Case(name: "s32.wav", codec: ["-c:a", "pcm_s32le"], format: AudioFormat(sampleType: .int32)),
        Case(name: "f32.wav", codec: ["-c:a", "pcm_f32le"], format: AudioFormat()),
        Case(name: "f64.wav", codec: ["-c:a", "pcm_f64le"], format: AudioFormat()),
        Case(name: "s64.wav", codec: ["-c:a", "pcm_s64le"], format: AudioFormat(sampleType: .int32)),
        Case(
            name: "u8.wav", codec: ["-c:a", "pcm_u8"], rate: 8_000, channels: "mono",
            format: AudioFormat(sampleType: .int16, sampleRate: 8_000, channelCount: 1)),
        Case(
            name: "mono.wav", codec: ["-c:a", "pcm_s16le"], rate: 8_000, channels: "mono",
            format: AudioFormat(sampleType: .int16, sampleRate: 8_000, channelCount: 1)),
        Case(
            name: "surround.wav", codec: ["-c:a", "pcm_s24le"], rate: 96_000, channels: "5.1",
            format: AudioFormat(sampleType: .int32, sampleRate: 96_000, channelCount: 6)),
    ]

    @Test("Every sample is the one that ffmpeg decodes, at the time that ffprobe says", arguments: cases)
    func samplesAndTimes(file: Case) throws {
        let path = try file.path()
        let reader = try MovieReader(path, needsPictures: false)
        let hearing = Hearing(reader)
        #expect(hearing.error == nil)
        #expect(reader.sound?.format == file.format)
        #expect(hearing.sounds.allSatisfy { $0.format == file.format })
        let expected = try decodedByFFmpeg(path)
        #expect(hearing.samples.count == expected.count && expected.count > file.rate)
        #expect(firstDifference(hearing.samples, expected, tolerance: 1e-6) == nil)
        // Pieces of one frame follow one another; where a frame begins, the time is the file's.
        var pieces = hearing.sounds[...]
        for frame in try soundFrames(path) {
            var left = frame.count
            #expect(frame.time == pieces.first?.presentationTime)
            while left > 0, let piece = pieces.popFirst() { left -= piece.frameCount }
            #expect(left == 0)
        }
        #expect(pieces.isEmpty)
        #expect(hearing.sounds.allSatisfy { $0.duration <= MediaTime(value: 1, timescale: 25) && $0.frameCount > 0 })
        #expect(hearing.sounds.isUnbroken && hearing.sounds.first?.position == 0)
        #expect(hearing.sounds.allSatisfy { $0.attachments.gap == 0 && !$0.attachments.isDiscontinuity })
    }

    @Test(
        "Pictures and sound come in the order of their times, and all of both", arguments: ["mp4", "mkv", "ts", "avi"])
    func inOrder(container: String) throws {
        let path = try SoundFiles.film("order.\(container)", ["-c:a", "libmp3lame"])
        let hearing = try Hearing(path)
        #expect(hearing.error == nil)
        #expect(hearing.frames.map(\.presentationTime) == (try Reading(path)).times)
        #expect(hearing.samples.count == (try decodedByFFmpeg(path)).count)
        #expect(zip(hearing.times, hearing.times.dropFirst()).allSatisfy { $0 <= $1 })
    }

    @Test(
        "What ends first does not end the other",
        arguments: [("short-sound.mkv", "3", "0.5"), ("long-sound.mkv", "0.5", "3")])
    func endsApart(name: String, pictures: String, sound: String) throws {
        let path = try TestMovies.path(
            name, TestMovies.source(seconds: pictures) + SoundFiles.noise(sound) + ["-c:v", "mjpeg", "-c:a", "flac"])
        let hearing = try Hearing(path)
        #expect(hearing.error == nil)
        #expect(hearing.frames.count == (pictures == "3" ? 75 : 13))
        #expect(hearing.samples.count == (sound == "3" ? 288_000 : 48_000))
        #expect(zip(hearing.times, hearing.times.dropFirst()).allSatisfy { $0 <= $1 })
    }

    @Test("Pictures that come once in ten seconds do not hold the sound back, nor fill the memory")
    func sparsePictures() throws {
        let path = try TestMovies.path(
            "slides.mkv",
            TestMovies.source(rate: "1/30", seconds: "120") + SoundFiles.noise("120", rate: 8_000, channels: "mono") + [
                "-c:v", "mjpeg", "-c:a", "pcm_s16le",
            ])
        let hearing = try Hearing(path)
        #expect(hearing.error == nil)
        #expect(hearing.frames.count == 4)
        #expect(hearing.samples.count == 960_000)
        #expect(hearing.sounds.isUnbroken)
    }

    @Test("Sound that nobody wants is skipped by the demuxer; it can be wanted later, and no more")
    func comesAndGoes() throws {
        let path = try SoundFiles.film("flac.mkv", ["-c:a", "flac"])
        let reader = try MovieReader(path)
        for _ in 0..<20 { #expect(try reader.nextFrame() != nil) }
        #expect(!reader.source.readsSound)
        #expect(reader.source.sound?.hasDecoder == false)
        var (frames, sounds) = (20, [AudioBuffer]())
        while frames < 50, let element = try reader.next(takingSound: true) {
            switch element {
            case .picture: frames += 1
            case .sound(let sound): sounds.append(sound)
            case .encodedPicture, .encodedSound: break
            }
        }
        let all = try decodedByFFmpeg(path)
        let first = try #require(sounds.first)
        #expect(first.attachments.isDiscontinuity == false && first.position == 0)
        let begin = Int(first.presentationTime.converted(toTimescale: 48_000).value)
        #expect(begin > 20_000 && begin < 80_000)
        let heard = sounds.samples
        #expect(heard.count > 80_000)
        #expect(firstDifference(heard, Array(all[(begin * 2)..<(begin * 2 + heard.count)]), tolerance: 1e-6) == nil)
        // Off and on again: the numbers go on, and the joint is marked.
        for _ in 50..<60 { #expect(try reader.nextFrame() != nil) }
        var again: AudioBuffer?
        while again == nil, let element = try reader.next(takingSound: true) {
            if case .sound(let sound) = element { again = sound }
        }
        #expect(again?.attachments.isDiscontinuity == true)
        #expect(again?.position == sounds.last.map { $0.position + UInt64($0.frameCount) })
        #expect(Reading(reader).error == nil)
    }
}
