// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import ObscuraImaging
import ObscuraMedia
import TestSupport
import Testing

@Suite struct RippleTests {
    private let shape = PixelSize(width: 160, height: 90)

    private func time(_ frame: Int) -> MediaTime { MediaTime(value: Int64(frame), timescale: 30) }

    private func render(_ ripple: Ripple, _ picture: PixelBuffer, at frame: Int) throws -> PixelBuffer {
        try VideoEffect.ripple(ripple).renderer.render(picture, EffectContext(presentationTime: time(frame)))
    }

    @Test func `still water is the picture itself`() throws {
        let picture = try PixelBuffer.noise(.bgra, 64, 36)
        let ripple = Ripple()
        for frame in 0..<5 { #expect(try render(ripple, picture, at: frame).isIdentical(to: picture)) }
        #expect(ripple.isAtRest)
    }

    @Test func `a tap is seen, fades, and comes to rest`() throws {
        let picture = try PixelBuffer.noise(.bgra, 160, 90)
        let ripple = Ripple()
        _ = try render(ripple, picture, at: 0)
        ripple.tap(x: 0.5, y: 0.5)
        #expect(!ripple.isAtRest)
        let made = try render(ripple, picture, at: 1)
        #expect(!made.isIdentical(to: picture) && made.packedBytes() != picture.packedBytes())
        var energies: [Double] = []
        var frame = 1
        while !ripple.isAtRest, frame < 30 * 60 {
            frame += 1
            _ = try render(ripple, picture, at: frame)
            if frame % 15 == 0 { energies.append(ripple.energy) }
        }
        #expect(zip(energies, energies.dropFirst()).allSatisfy { $0 > $1 }, "\(energies)")
        // Some seconds, and not a minute.
        #expect(ripple.isAtRest && (60..<900).contains(frame), "\(frame) frames")
        #expect(try render(ripple, picture, at: frame + 1).isIdentical(to: picture))
    }

    @Test func `waves spread, from the tap to the edges, and are the same to all sides`() throws {
        let ripple = Ripple()
        let square = PixelSize(width: 200, height: 200)
        _ = ripple.slopes(at: .zero, shape: square)
        ripple.tap(x: 0.5, y: 0.5)
        func reach(_ slopes: WaveSlopes) -> Int {
            let middle = slopes.columns / 2
            let row = slopes.across[(middle * slopes.columns)..<((middle + 1) * slopes.columns)]
            return row.indices.last { abs(row[$0]) > 0.002 }.map { $0 - row.startIndex - middle } ?? 0
        }
        var reaches: [Int] = []
        for frame in stride(from: 1, through: 40, by: 6) {
            let slopes = try #require(ripple.slopes(at: time(frame), shape: square))
            reaches.append(reach(slopes))
            let last = slopes.columns - 1
            for y in 0...last {
                for x in 0...last {
                    let here = slopes.across[y * slopes.columns + x]
                    #expect(abs(here + slopes.across[y * slopes.columns + last - x]) < 1e-4)
                    #expect(abs(here - slopes.down[x * slopes.columns + y]) < 1e-4)
                }
            }
        }
        #expect(zip(reaches, reaches.dropFirst()).allSatisfy { $0 < $1 }, "\(reaches)")
    }

    @Test func `the same taps between the same frames give the same pictures`() throws {
        let picture = try PixelBuffer.noise(.bgra, 161, 91)
        func film() throws -> [[UInt8]] {
            let ripple = Ripple(rain: 2)
            return try (0..<40).map { frame in
                if frame == 5 { ripple.tap(x: 0.25, y: 0.75, strength: 2) }
                if frame == 20 { ripple.tap(x: 1, y: 0, strength: -1) }
                return try render(ripple, picture, at: frame).packedBytes()
            }
        }
        #expect(try film() == film())
    }

    @Test func `water goes by the times of the frames, not by their number`() throws {
        let (one, other) = (Ripple(), Ripple())
        for ripple in [one, other] {
            _ = ripple.slopes(at: .zero, shape: shape)
            ripple.tap(x: 0.3, y: 0.3)
        }
        for frame in 1...30 { _ = one.slopes(at: time(frame), shape: shape) }
        let once = try #require(other.slopes(at: time(30), shape: shape))
        #expect(one.slopes(at: time(30), shape: shape)?.across == once.across)
    }

    @Test func `a frame asked for twice, or an older one, does not move the water`() throws {
        let ripple = Ripple()
        _ = ripple.slopes(at: .zero, shape: shape)
        ripple.tap(x: 0.5, y: 0.5)
        let slopes = try #require(ripple.slopes(at: time(10), shape: shape))
        #expect(ripple.slopes(at: time(10), shape: shape)?.across == slopes.across)
        #expect(ripple.slopes(at: time(9), shape: shape)?.across == slopes.across)
        #expect(ripple.slopes(at: time(11), shape: shape)?.across != slopes.across)
    }

    @Test func `a long pause is not made up for, and a film that begins again goes on`() throws {
        let ripple = Ripple()
        _ = ripple.slopes(at: .zero, shape: shape)
        ripple.tap(x: 0.5, y: 0.5)
        _ = ripple.slopes(at: time(1), shape: shape)
        let before = ripple.energy
        // A year: the steps of a second are made, and the waves are still there.
        #expect(ripple.slopes(at: MediaTime(value: 31_557_600, timescale: 1), shape: shape) != nil)
        #expect(ripple.energy > 0 && ripple.energy < before)
        let then = ripple.energy
        #expect(ripple.slopes(at: .zero, shape: shape) != nil)
        #expect(ripple.slopes(at: time(10), shape: shape) != nil)
        #expect(ripple.energy < then)
        for extreme in [Int64.max, .min, 0] {
            _ = ripple.slopes(at: MediaTime(value: extreme, timescale: 1), shape: shape)
        }
    }

    @Test func `taps anywhere do no harm`() throws {
        let picture = try PixelBuffer.noise(.bgra, 33, 17)
        let ripple = Ripple()
        for (x, y) in [(0.0, 0.0), (1, 1), (0, 1), (-5, 9), (1e300, -1e300), (.nan, 0.5), (0.5, .infinity)] {
            for strength in [1, -1, 4, 1e9, .nan] { ripple.tap(x: x, y: y, strength: strength) }
        }
        for _ in 0..<10_000 { ripple.tap(x: 0.5, y: 0.5) }
        for frame in 0..<10 { _ = try render(ripple, picture, at: frame) }
        #expect(ripple.energy.isFinite)
    }

    @Test func `each size is seen through the water, down to one pixel`() throws {
        for size in effectSizes + largeSizes.suffix(1) {
            let ripple = Ripple()
            let picture = try PixelBuffer.strayNoise(.rgba, size)
            _ = ripple.slopes(at: .zero, shape: size)
            for x in 0...4 { for y in 0...4 { ripple.tap(x: Double(x) / 4, y: Double(y) / 4, strength: 4) } }
            for frame in 1...3 { #expect(try render(ripple, picture, at: frame).size == size) }
        }
    }

    @Test func `rain falls, from the beginning on and without end`() throws {
        let ripple = Ripple(rain: 1)
        var wet = 0
        for frame in 0..<300 where ripple.slopes(at: time(frame), shape: shape) != nil { wet += 1 }
        #expect(wet > 290)
        #expect(!ripple.isAtRest)
        #expect(Ripple(rain: 0).isAtRest && Ripple(rain: -1).isAtRest && Ripple(rain: .nan).isAtRest)
    }

    @Test func `taps on one thread and frames on another`() {
        let ripple = Ripple()
        let taps = WorkerPool(name: "taps", threads: 2)
        let done = Lock(0)
        for _ in 0..<4 {
            taps.async {
                for index in 0..<200 { ripple.tap(x: Double(index) / 200, y: 0.5) }
                done.withLockSignalling { $0 += 1 }
            }
        }
        for frame in 0..<60 { _ = ripple.slopes(at: time(frame), shape: shape) }
        #expect(done.wait(until: .now + waitLimit) { $0 == 4 ? true : nil } == true)
    }
}
