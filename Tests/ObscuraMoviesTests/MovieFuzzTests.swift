// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraMovies

@Suite("Movies with random damage")
struct MovieFuzzTests {
    /// The whole movie has 50 frames; damage does not make many more of them.
    private static let mostFrames = 500

    @Test("Flipped bytes neither crash nor hang nor leak", arguments: ["mp4", "mkv", "ts", "avi"])
    func flippedBytes(container: String) throws {
        let path =
            switch container {
            case "mp4": try TestMovies.h264()
            case "avi": try TestMovies.path("fuzz.avi", ["-i", try TestMovies.h264(), "-an", "-c:v", "mjpeg"])
            default: try TestMovies.h264(in: container)
            }
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        var numbers = Dice(seed: 42)
        let (rounds, before) = (100, PixelBuffer.liveCount)
        var (frames, playable, errors) = (0, 0, 0)
        for round in 0..<rounds {
            var bytes = whole
            // Half of the rounds aim at the head, where the structure is.
            let reach = round.isMultiple(of: 2) ? bytes.count : min(bytes.count, 4096)
            for _ in 0..<Int.random(in: 1...40, using: &numbers) {
                bytes[Int.random(in: 0..<reach, using: &numbers)] = UInt8.random(in: 0...255, using: &numbers)
            }
            let damaged = try TestMovies.file("fuzz.\(container)", bytes)
            var found = 0
            do {
                let reader = try MovieReader(damaged)
                while found <= Self.mostFrames, try reader.nextFrame() != nil { found += 1 }
            } catch {
                errors += 1
            }
            #expect(found <= Self.mostFrames, "round \(round) does not end")
            frames += found
            if found > 0 { playable += 1 }
        }
        // Neither is everything refused, nor is damage overlooked.
        #expect(playable >= rounds / 3 && errors >= rounds / 3, "\(playable) playable, \(errors) errors")
        #expect(frames > rounds)
        // Other tests may hold frames at this moment; a leak of one for each round would be more.
        #expect(PixelBuffer.liveCount - before < rounds)
    }
}
