// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Obscura
import ObscuraDrivers
import ObscuraMedia
import ObscuraMovies
import TestSupport
import Testing

/// Picture and sound of a movie, from a camera and a sound card of the kernel, to within milliseconds.
///
/// This is for the guest that counts instructions: there a busy host takes no time from the one who records, from the
/// card, whose ticks are the processor's, nor from the test. (`Tests/Lab/run-tests` goes by the name of the suite.)
@Suite("A movie of a camera and a sound card", .guest, .serialized)
struct CountedRecordingTests {
    private static let length = isLongForm ? 600.0 : 5

    /// A beep of the movie and its flash.
    private struct Pair {
        let flash: Double
        /// How much later than the flash it beeps in the movie.
        let seen: Double
        /// How much later it did.
        let real: Double

        var error: Double { seen - real }
    }

    @Test("It beeps where it flashes, at its beginning and at its end, on a card with a bad crystal")
    func beepAndFlash() async throws {
        try await Self.warmUp()
        // Ten times what a bad card does: over ten minutes its seconds are off by 600 ms.
        try LoopbackCard.setDrift(-1000)
        defer { try? LoopbackCard.setDrift(0) }
        let metronome = try await Metronome(seconds: Int(Self.length) + 100)
        let run = try await MovieSession(LoopbackCamera.path, movie: "beeps.mp4")
        defer { try? FileManager.default.removeItem(atPath: run.path) }
        try await run.session.start()
        #expect(await becomes { run.pictureCount >= 20 })
        try await run.output.startRecording(to: run.path)
        #expect(await run.reaches(Self.length))
        // The card's time stamps are whole ticks of the kernel's timer, so seconds pass until its rate is known.
        #expect(await becomes { run.clockDrift.map { abs($0 + 1000) < 200 } ?? false }, "\(run.clockDrift as Any)")
        let result = try #require(await run.output.stopRecording())
        await run.session.stop()
        let record = try metronome.stop()
        #expect(result.reason == .stopped)
        _ = try run.expectWholeMovie(result)

        let pairs = try pairs(run.path, record)
        let errors = pairs.map { Int(($0.error * 1000).rounded()) }
        let delays = pairs.map { Int(($0.real * 1000).rounded()) }
        let lost = run.session.ledger.readers.filter { $0.name.hasPrefix("movie") }.map(\.frames.dropped.total)
        Lab.report("\(pairs.count) beeps are off by \(errors) ms, flashes came late by \(delays) ms; lost: \(lost)")
        #expect(pairs.allSatisfy { abs($0.error) < 0.02 }, "\(pairs)")
        #expect(pairs.contains { $0.flash < Self.length / 3 } && pairs.contains { $0.flash > Self.length * 2 / 3 })
    }

    /// Has what the test needs read from the host's disk, which takes any time of this guest.
    private static func warmUp() async throws {
        try Lab.run("aplay", "--version")
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).mp4").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let writer = try AssetWriter(path: path, video: MovieSession.video, audio: MovieSession.audio)
        try writer.startSession(at: .zero)
        let format = MovieSession.soundFormat
        for second in 0..<2 {
            let (time, hostTime) = (MediaTime(value: Int64(second), timescale: 1), HostTime.now)
            let picture = try PatternScene(size: Metronome.size).draw(sequence: UInt64(second), time: time)
            let silence = AudioBuffer.Samples.int16(Array(repeating: 0, count: format.sampleRate))
            try await writer.append(VideoFrame(buffer: picture, presentationTime: time, hostTime: hostTime))
            try await writer.append(
                AudioBuffer(format: format, samples: silence, presentationTime: time, hostTime: hostTime))
        }
        try await writer.finish()
    }

    /// The beeps and flashes of a movie that were given as they are shown.
    ///
    /// The loopback camera writes on into a picture that is being read. So a machine that is too busy for a flash loses
    /// it, or shows another picture in its place, and its beep says nothing: such a picture has the wrong number.
    private func pairs(_ path: String, _ record: Metronome.Record) throws -> [Pair] {
        let reader = try MovieReader(path)
        var pictures: [(number: UInt64, time: Double)] = []
        while let frame = try reader.nextFrame() {
            let number = try #require(PatternScene.readSequence(of: frame.buffer))
            pictures.append((number, frame.presentationTime.seconds))
        }
        let starts = pictures.compactMap { picture in
            record.pictures[picture.number].map { Double($0.nanoseconds) / 1e9 - picture.time }
        }
        let start = try #require(starts.sorted().dropFirst(starts.count / 2).first)
        return try FlashesAndBeeps(path).pairs.compactMap { pair in
            guard let picture = pictures.first(where: { abs($0.time - pair.flash) < 0.001 }),
                let moments = record.moments(of: picture.number)
            else { return nil }
            // It writes on by some pictures at the least, each of which takes 100 ms.
            guard abs(Double(moments.picture.nanoseconds) / 1e9 - start - picture.time) < 0.15 else { return nil }
            let real = Double((moments.beep - moments.picture).wholeNanoseconds) / 1e9
            return Pair(flash: pair.flash, seen: pair.beep - pair.flash, real: real)
        }
    }
}
