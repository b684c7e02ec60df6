// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraMovies

@Suite("Starting in the middle, and loops")
struct MovieSeekTests {
    static let containers = ["mp4", "mkv", "ts", "avi", "h264", "flv"]

    private static func path(_ container: String) throws -> String {
        switch container {
        case "mp4": try TestMovies.h264()
        case "avi": try TestMovies.path("plain.avi", ["-i", try TestMovies.h264(), "-an", "-c:v", "mjpeg"])
        default: try TestMovies.h264(in: container)
        }
    }

    @Test("The first frame is the first one that is not earlier than the start", arguments: containers)
    func startIsExact(container: String) throws {
        let path = try Self.path(container)
        let all = try Reading(path)
        for index in [0, 1, 7, 11, 12, 13, 25, 36, 49] {
            for earlier in [MediaTime.zero, MediaTime(value: 1, timescale: 1000)] {
                var options = MovieReadingOptions()
                options.start = all.times[index] - earlier
                let reading = try Reading(path, options)
                #expect(reading.error == nil)
                #expect(reading.times == Array(all.times[index...]), "from \(all.times[index])")
                let first = try #require(reading.frames.first)
                #expect(
                    firstDifference(first.buffer.samples, all.frames[index].buffer.samples) == nil)
                #expect(first.sequence == 0)
            }
        }
    }

    @Test("With the run-up, frames are read from the key frame before the start on", arguments: ["mp4", "mkv", "ts"])
    func runUp(container: String) throws {
        let path = try Self.path(container)
        let all = try Reading(path)
        for index in [0, 7, 12, 13, 35, 49] {
            var options = MovieReadingOptions()
            options.start = all.times[index]
            options.includesRunUp = true
            let reading = try Reading(path, options)
            let first = try #require(reading.times.first)
            #expect(first <= all.times[index] && reading.times == Array(all.times.drop { $0 < first }))
            if container == "mp4" { #expect(first == all.times[index / 12 * 12]) }
        }
    }

    @Test("Only one stream is read if its index is given")
    func oneStream() throws {
        let path = try TestMovies.h264()
        let kinds = try MovieContents.read(path).streams.map(\.kind)
        var options = MovieReadingOptions()
        options.stream = kinds.firstIndex(of: .audio)
        let sound = try MovieReader(path, options: options, needsPictures: false)
        #expect(sound.info == nil && sound.sound != nil)
        var end = MediaTime.zero
        while let element = try sound.next(takingSound: true) {
            guard case .sound(let buffer) = element else {
                Issue.record("it is not sound")
                return
            }
            end = buffer.presentationTime + buffer.duration
        }
        #expect(abs(end.seconds - 2) < 0.05)
        options.stream = kinds.firstIndex(of: .video)
        let pictures = try MovieReader(path, options: options)
        #expect(pictures.sound == nil && Reading(pictures).frames.count == 50)
        options.stream = 7
        #expect { _ = try MovieReader(path, options: options) } throws: { ($0 as? ObscuraError)?.code == .noVideo }
    }

    @Test("A start behind the end gives no frames and no error")
    func startBehindTheEnd() throws {
        var options = MovieReadingOptions()
        options.start = MediaTime(value: 100, timescale: 1)
        let reading = try Reading(try TestMovies.h264(), options)
        #expect(reading.frames.isEmpty)
        #expect(reading.error == nil)
    }

    @Test("Loops follow one another on one timeline, each marked where it begins", arguments: containers)
    func loopsAreMonotonic(container: String) throws {
        let path = try Self.path(container)
        let all = try Reading(path)
        var options = MovieReadingOptions()
        options.isLooping = true
        let reading = try Reading(path, options, limit: 125)
        try #require(reading.frames.count == 125)
        let step = MediaTime(value: 1, timescale: 25)
        #expect(zip(reading.times, reading.times.dropFirst()).allSatisfy { $1 - $0 == step })
        #expect(reading.frames.indices.filter { reading.frames[$0].attachments.isDiscontinuity } == [50, 100])
        #expect(reading.frames.map(\.sequence) == (0..<125).map { UInt64($0) })
        for index in [50, 73, 101] {
            let once = all.frames[index % 50].buffer.samples
            #expect(firstDifference(reading.frames[index].buffer.samples, once) == nil)
        }
    }

    @Test("A loop with a start goes back to the start")
    func loopFromStart() throws {
        let path = try TestMovies.h264()
        var options = MovieReadingOptions()
        options.isLooping = true
        options.start = MediaTime(value: 8, timescale: 5)
        let reading = try Reading(path, options, limit: 25)
        #expect(reading.times == (40..<65).map { MediaTime(value: Int64($0), timescale: 25) })
        let (first, again) = (reading.frames[0].buffer.samples, reading.frames[10].buffer.samples)
        #expect(firstDifference(first, again) == nil)
    }

    @Test("A loop without a single frame ends")
    func emptyLoopEnds() throws {
        var options = MovieReadingOptions()
        options.isLooping = true
        options.start = MediaTime(value: 100, timescale: 1)
        #expect(try Reading(try TestMovies.h264(), options).frames.isEmpty)
    }
}
