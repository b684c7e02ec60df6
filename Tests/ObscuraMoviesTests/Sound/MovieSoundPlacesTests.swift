// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraMovies

@Suite("Sound that starts in the middle, and loops")
struct MovieSoundPlacesTests {
    /// With how much the first samples may differ: what a lossy codec decodes leans a little on what came long before.
    static let files: [(name: String, codec: [String], isFilm: Bool, tolerance: Float)] = [
        ("start.wav", ["-c:a", "pcm_s16le"], false, 1e-6), ("start.flac", ["-c:a", "flac"], false, 1e-6),
        ("start.m4a", aac, false, 1e-6), ("start.mp3", ["-c:a", "libmp3lame"], false, 1e-6),
        ("start.ogg", ["-c:a", "libvorbis"], false, 1e-6), ("start.mp4", aac, true, 1e-6),
        ("start.mkv", ["-c:a", "flac"], true, 1e-6), ("start.webm", ["-c:a", "libopus"], true, 5e-3),
    ]

    /// Without noise that the decoder makes up anew each time.
    static let aac = ["-c:a", "aac", "-aac_pns", "0"]

    private static func path(_ name: String, _ codec: [String], _ isFilm: Bool) throws -> String {
        try isFilm ? SoundFiles.film(name, codec) : SoundFiles.sound(name, codec)
    }

    @Test("A start at 2 s begins with the very sample of that time", arguments: files)
    func start(name: String, codec: [String], isFilm: Bool, tolerance: Float) throws {
        let path = try Self.path(name, codec, isFilm)
        let whole = try Hearing(path)
        for start in [MediaTime(value: 2, timescale: 1), MediaTime(value: 4321, timescale: 3000)] {
            var options = MovieReadingOptions()
            options.start = start
            let hearing = try Hearing(path, options)
            #expect(hearing.error == nil)
            let first = try #require(hearing.sounds.first)
            // A container that counts milliseconds is asked for no more than that.
            let late = first.presentationTime - start
            #expect(late >= .zero - MediaTime(value: 1, timescale: 1000), "\(late)")
            #expect(late <= MediaTime(value: 1, timescale: isFilm && !name.hasSuffix("mp4") ? 1000 : 48_000), "\(late)")
            #expect(first.position == 0)
            #expect(hearing.sounds.isUnbroken)
            let expected = whole.samples.suffix(hearing.samples.count)
            #expect(firstDifference(hearing.samples, Array(expected), tolerance: tolerance) == nil)
            #expect(hearing.end == whole.end)
            #expect(
                hearing.frames.map(\.presentationTime) == whole.frames.map(\.presentationTime).filter { $0 >= start })
        }
    }

    @Test("A start behind the end gives no sound and no error")
    func startBehindTheEnd() throws {
        var options = MovieReadingOptions()
        options.start = MediaTime(value: 100, timescale: 1)
        for (name, codec, isFilm, _) in Self.files {
            let hearing = try Hearing(try Self.path(name, codec, isFilm), options)
            #expect(hearing.sounds.isEmpty && hearing.frames.isEmpty && hearing.error == nil, "\(name)")
        }
    }

    @Test("Loops follow one another, the sound as the pictures, and each has every sample", arguments: files)
    func loops(name: String, codec: [String], isFilm: Bool, tolerance: Float) throws {
        let path = try Self.path(name, codec, isFilm)
        let whole = try Hearing(path)
        var options = MovieReadingOptions()
        options.isLooping = true
        let count = whole.sounds.count
        let hearing = try Hearing(path, options, limit: 2 * count + 3)
        #expect(hearing.sounds.count == 2 * count + 3)
        for pass in 0..<2 {
            let samples = Array(hearing.sounds[(pass * count)..<((pass + 1) * count)]).samples
            #expect(firstDifference(samples, whole.samples, tolerance: 1e-6) == nil, "pass \(pass)")
        }
        // Both go on where what ends last ended.
        let soundEnd = try #require(whole.end)
        let end = whole.frames.last.map { max($0.presentationTime + ($0.duration ?? .zero), soundEnd) } ?? soundEnd
        let length = end - (try #require(whole.times.min()))
        func onePass(_ times: [MediaTime], _ index: Int) -> MediaTime {
            times[index % times.count] + length * Int64(index / times.count)
        }
        let sounds = hearing.sounds.map(\.presentationTime)
        #expect(sounds == sounds.indices.map { onePass(whole.sounds.map(\.presentationTime), $0) })
        let joints = hearing.sounds.indices.filter { hearing.sounds[$0].attachments.isDiscontinuity }
        #expect(joints == [count, 2 * count])
        let pictures = hearing.frames.map(\.presentationTime)
        #expect(pictures == pictures.indices.map { onePass(whole.frames.map(\.presentationTime), $0) })
        #expect(hearing.sounds.isUnbroken)
        #expect(zip(hearing.times, hearing.times.dropFirst()).allSatisfy { $0 <= $1 })
    }

    @Test("A loop with a start goes back to the start, with both")
    func loopFromStart() throws {
        let path = try SoundFiles.film("start.mkv", ["-c:a", "flac"])
        var options = MovieReadingOptions()
        options.start = MediaTime(value: 5, timescale: 2)
        let once = try Hearing(path, options)
        options.isLooping = true
        let hearing = try Hearing(path, options, limit: 2 * once.sounds.count)
        let heard = Array(hearing.sounds.suffix(once.sounds.count))
        #expect(firstDifference(heard.samples, once.samples, tolerance: 1e-6) == nil)
        #expect(heard.first?.attachments.isDiscontinuity == true)
        let shift = try #require(heard.first).presentationTime - (try #require(once.sounds.first)).presentationTime
        #expect(shift >= MediaTime(value: 1, timescale: 2))
    }
}
