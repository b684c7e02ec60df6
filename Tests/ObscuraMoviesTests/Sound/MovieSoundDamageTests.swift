// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraMovies

@Suite("Broken sound")
struct MovieSoundDamageTests {
    @Test(
        "A cut file gives the sound that is whole, then an error that says how far it came",
        arguments: [("cut.m4a", "aac"), ("cut.wav", "pcm_s16le"), ("cut.flac", "flac"), ("cut.aiff", "pcm_s16be")],
        [0.4, 0.9])
    func cutFile(file: (name: String, codec: String), fraction: Double) throws {
        let path = try SoundFiles.sound(
            file.name, ["-c:a", file.codec] + (file.name == "cut.m4a" ? ["-movflags", "+faststart"] : []))
        let cut = try Hearing(try TestMovies.cut(path, to: fraction))
        let error = try #require(cut.error)
        #expect(error.code == .truncated)
        #expect(error.reason.contains("audio is complete up to"))
        let whole = try Hearing(path)
        #expect(whole.error == nil)
        #expect(cut.samples.count > whole.samples.count / 4 && cut.samples.count < whole.samples.count)
        #expect(firstDifference(cut.samples, Array(whole.samples.prefix(cut.samples.count)), tolerance: 1e-6) == nil)
    }

    @Test("A broken frame in the middle is left out, counted, shown as a gap, and told at the end")
    func brokenFrame() throws {
        let path = try SoundFiles.sound("broken.mka", ["-c:a", "flac"])
        let whole = try Hearing(path)
        let answer = try Tool.run(
            "ffprobe", ["-v", "error", "-show_entries", "packet=pos,size", "-of", "csv=p=0", path])
        let packets = String(decoding: answer, as: UTF8.self).split(separator: "\n")
            .map { $0.split(separator: ",").compactMap { Int($0) } }.filter { $0.count == 2 }
        try #require(packets.count > 10)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let (place, size) = (packets[5].max() ?? 0, packets[5].min() ?? 0)
        for offset in (size / 2)..<(size / 2 + 16) { bytes[place + offset] ^= 0x5A }
        let reader = try MovieReader(try TestMovies.file("broken-frame.mka", bytes), needsPictures: false)
        let hearing = Hearing(reader)
        #expect(hearing.error?.code == .damaged)
        #expect(reader.progress.soundLost == 1)
        let gaps = hearing.sounds.filter { $0.attachments.gap > 0 }
        let lost = (whole.samples.count - hearing.samples.count) / 2
        // The container rounds to milliseconds.
        #expect(gaps.count == 1 && abs(Int(gaps.first?.attachments.gap ?? 0) - lost) <= 48)
        let index = try #require(hearing.sounds.firstIndex { $0.attachments.gap > 0 })
        #expect(index > 0)
        let before = hearing.sounds[index - 1]
        #expect(gaps[0].position == before.position + UInt64(before.frameCount) + gaps[0].attachments.gap)
        #expect(!gaps[0].attachments.isDiscontinuity)
    }

    @Test("Times that leave something out are a gap; times that go back are a discontinuity")
    func jumps() throws {
        let gap = try TestMovies.path(
            "gap.mkv", SoundFiles.noise("2") + ["-af", "aselect='not(between(t,0.5,0.9))'", "-c:a", "pcm_s16le"])
        let hearing = try Hearing(gap)
        #expect(hearing.error == nil)
        let gaps = hearing.sounds.map(\.attachments.gap).filter { $0 > 0 }
        #expect(gaps.count == 1)
        let frames = hearing.samples.count / 2 + Int(gaps.first ?? 0)
        #expect(abs(frames - 96_000) <= 96, "\(frames)")
        let last = try #require(hearing.sounds.last)
        #expect(Int(last.position) + last.frameCount == frames)
    }

    @Test("Any bytes end with an error or as sound, and nothing traps", arguments: [1, 2, 3, 4, 5, 6])
    func fuzzed(seed: UInt64) throws {
        var dice = Dice(seed: seed)
        for (name, codec) in [
            ("fuzz.m4a", "aac"), ("fuzz.mp3", "libmp3lame"), ("fuzz.wav", "pcm_s24le"), ("fuzz.opus", "libopus"),
        ] {
            let path = try SoundFiles.sound(name, ["-c:a", codec], SoundFiles.noise("1"))
            var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            for _ in 0..<20 {
                bytes[Int.random(in: 0..<bytes.count, using: &dice)] = UInt8.random(in: 0...255, using: &dice)
            }
            // The head is where formats, rates and lengths are.
            for _ in 0..<3 { bytes[Int.random(in: 0..<64, using: &dice)] = UInt8.random(in: 0...255, using: &dice) }
            let broken = try TestMovies.file("fuzzed-\(seed)-\(name)", bytes)
            guard let hearing = try? Hearing(broken, limit: 5_000) else { continue }
            #expect(hearing.sounds.allSatisfy { $0.frameCount > 0 })
        }
    }

    @Test("A text with the name of a sound is said to be none")
    func text() throws {
        let path = try TestMovies.file("text.mp3", Data(String(repeating: "This is no sound.\n", count: 50).utf8))
        let error = #expect(throws: ObscuraError.self) { try MovieReader(path, needsPictures: false) }
        #expect(error?.code == .unsupportedContainer)
        #expect(error?.subject == path)
    }

    @Test(
        "More channels than there can be, and rates beyond all reason, are refused",
        arguments: [
            (channels: 500, rate: 48_000), (channels: 2, rate: 4_000_000),
        ])
    func limits(channels: Int, rate: Int) throws {
        func bytes(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 0xff) } }
        let samples = [UInt8](repeating: 7, count: channels * 2 * 100)
        var wave = Array("RIFF".utf8) + bytes(36 + samples.count, 4) + Array("WAVEfmt ".utf8) + bytes(16, 4)
        wave += bytes(1, 2) + bytes(channels, 2) + bytes(rate, 4) + bytes(rate * channels * 2, 4)
        wave += bytes(channels * 2, 2) + bytes(16, 2) + Array("data".utf8) + bytes(samples.count, 4) + samples
        let path = try TestMovies.file("limits-\(channels)-\(rate).wav", Data(wave))
        #expect(throws: ObscuraError.self) { try MovieReader(path, needsPictures: false) }
    }

    @Test("Neither pictures nor sound is an error")
    func nothing() throws {
        let subtitles = try TestMovies.file("line.srt", Data("1\n00:00:00,000 --> 00:00:01,000\nHello\n".utf8))
        let path = try TestMovies.path("subtitles.mkv", ["-i", subtitles])
        let error = #expect(throws: ObscuraError.self) { try MovieReader(path, needsPictures: false) }
        #expect(error?.code == .noVideo)
    }
}
