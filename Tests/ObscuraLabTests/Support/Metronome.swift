// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Obscura
import ObscuraBase
import ObscuraDrivers
import ObscuraMedia
import TestSupport

/// The guest's loopback camera and its sound card in step: a beep each second, and with each a flash.
///
/// `aplay` plays the beeps, and runs ahead of the card by what its buffer holds. What is heard when is known of the
/// card alone: it counts the frames that it has taken, and each is heard at that moment. The pictures go by that count
/// too, and a picture is given at the moment at which it is written: so both are known on CLOCK_MONOTONIC, and a thread
/// that comes too late with a picture makes the test no worse.
final class Metronome: Sendable {
    /// What was given when.
    struct Record: Sendable {
        fileprivate(set) var counts: [(frames: Int, time: HostTime)] = []
        fileprivate(set) var pictures: [UInt64: HostTime] = [:]
        fileprivate var failure: (any Error)?

        /// When the picture with this number was given, and when it beeped; nil where it is not the first of a second,
        /// and where this thread had to wait while it gave it.
        func moments(of number: UInt64) -> (picture: HostTime, beep: HostTime)? {
            guard let picture = pictures[number], number % picturesPerSecond == 0 else { return nil }
            let place = Int(number / picturesPerSecond) * sampleRate
            // The card counts by the ticks of a processor, which come late where the host is busy, and never early: so
            // the count that was the earliest is the nearest to the truth.
            let moments = counts.filter { abs($0.frames - place) < sampleRate / 2 }
                .map { $0.time.nanoseconds + Int64(place - $0.frames) * 1_000_000_000 / Int64(sampleRate) }
            return moments.min().map { (picture, HostTime(nanoseconds: $0)) }
        }
    }

    /// Small and few: they are drawn, copied and encoded by emulated processors. A flash is given at its moment all the
    /// same.
    static let size = PixelSize(width: 160, height: 120)
    static let picturesPerSecond: UInt64 = 10
    private static let sampleRate = MovieSession.soundFormat.sampleRate
    private static let framesPerPicture = sampleRate / Int(picturesPerSecond)

    private let player: BackgroundTool
    private let camera: HandFedCamera
    private let scene: PatternScene
    private let cancellation = CancellationToken()
    private let record = Lock(Record())
    private let thread = Lock<WorkerThread?>(nil)

    /// Begins, for so long at the most.
    init(seconds: Int) async throws {
        scene = try PatternScene(size: Self.size)
        camera = try HandFedCamera("YU12", size: Self.size, rate: Int(Self.picturesPerSecond))
        // The device is a camera once it has a first picture.
        try camera.give(scene.draw(sequence: 1, time: .zero).packedBytes())
        var tone = Tone(frequency: 1000, sampleRate: Self.sampleRate, seconds: seconds)
        tone.length = 0.1
        player = try await LoopbackCard.play(tone, runsAhead: true)
        let thread = WorkerThread(name: "metronome") { [weak self] in self?.run() }
        self.thread.withLock { $0 = thread }
    }

    deinit {
        cancellation.cancel()
        player.stop()
    }

    /// Ends, and says what happened.
    func stop() throws -> Record {
        cancellation.cancel()
        guard thread.withLock({ $0 })?.join(until: .now + waitLimit) == true else {
            throw Tool.Failure(description: "the pictures do not end")
        }
        let words = player.words
        player.stop()
        // After an underrun the card counts anew.
        guard !words.contains("underrun") else { throw Tool.Failure(description: "aplay was too slow: \(words)") }
        let record = record.withLock { $0 }
        if let failure = record.failure { throw failure }
        return record
    }

    private func run() {
        do {
            var number = 0
            while let count = try count() {
                // What it was too late for is left out.
                number = max(number, count.frames / Self.framesPerPicture) + 1
                // In the first tenth of each second there is a beep.
                let isFlashing = number % Int(Self.picturesPerSecond) == 0
                let picture = try scene.draw(sequence: UInt64(number), time: .zero, isFlashing: isFlashing)
                let bytes = picture.packedBytes()
                let wait = Double(number * Self.framesPerPicture - count.frames) / Double(Self.sampleRate)
                if cancellation.wait(until: count.time + .seconds(wait)) { break }
                let before = HostTime.now
                try camera.give(bytes)
                guard let moment = Self.middle(before, .now) else { continue }
                record.withLock { $0.pictures[UInt64(number)] = moment }
            }
        } catch {
            record.withLock { $0.failure = error }
        }
    }

    /// When something happened between two moments; nil where the thread had to wait there, and it is not known.
    private static func middle(_ before: HostTime, _ after: HostTime) -> HostTime? {
        let span = after - before
        return span < .milliseconds(4) ? before + span / 2 : nil
    }

    /// How far the card is, and when it was there; nil when it is told to end.
    private func count() throws -> (frames: Int, time: HostTime)? {
        while !cancellation.isCancelled {
            let before = HostTime.now
            let frames = try LoopbackCard.playedFrames()
            if let frames, let time = Self.middle(before, .now) {
                let count = (frames: frames, time: time)
                record.withLock { $0.counts.append(count) }
                return count
            }
            guard player.isRunning else { throw Tool.Failure(description: "aplay has ended: \(player.words)") }
            // Not in a circle: others need the processor.
            _ = cancellation.wait(until: .now + .milliseconds(2))
        }
        return nil
    }
}
