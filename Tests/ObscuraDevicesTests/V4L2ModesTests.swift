// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraMedia
import Testing

@testable import ObscuraDevices

@Suite("Modes of drivers that take any size or rate")
struct V4L2ModesTests {
    private func size(_ width: Int, _ height: Int) -> PixelSize { PixelSize(width: width, height: height) }

    @Test("Of a range the usual sizes are listed, and its ends")
    func sizes() {
        let sizes = UsualModes.sizes(from: size(48, 32), to: size(1300, 800), step: size(16, 8))
        #expect(sizes.first == size(48, 32))
        #expect(sizes.last == size(1300, 800))
        #expect(sizes.contains(size(1280, 720)) && sizes.contains(size(640, 480)))
        // 180 is not on the grid.
        #expect(!sizes.contains(size(320, 180)))
        #expect(!sizes.contains(size(1920, 1080)))
    }

    @Test("A range that ends nowhere has the usual sizes, without its end")
    func endlessSizes() {
        let end = Int(UInt32.max)
        let sizes = UsualModes.sizes(from: size(1, 1), to: size(end, end), step: size(1, 1))
        #expect(sizes.first == size(1, 1) && sizes.last == size(3840, 2160))
    }

    @Test("Of a range of rates the usual ones are listed, and its ends where they are sane")
    func rates() {
        let rates = UsualModes.rates(
            shortest: FrameInterval(numerator: 1, denominator: 42),
            longest: FrameInterval(numerator: 1, denominator: 10))
        #expect(Set(rates.map(\.framesPerSecond)) == [42, 30, 25, 20, 15, 10])
        let any = UsualModes.rates(
            shortest: FrameInterval(numerator: 1, denominator: .max),
            longest: FrameInterval(numerator: .max, denominator: 1))
        #expect(any.isEmpty)
        let endless = UsualModes.rates(
            shortest: FrameInterval(numerator: 1, denominator: 1_000_000),
            longest: FrameInterval(numerator: 100, denominator: 1))
        #expect(endless.map(\.framesPerSecond) == [120, 90, 60, 50, 30, 25, 20, 15, 10, 5])
    }

    @Test("An interval is a rate in lowest terms, or none")
    func intervals() {
        #expect(FrameInterval(numerator: 1001, denominator: 30000).frameRate == FrameRate(30000, per: 1001))
        #expect(FrameInterval(numerator: 333_333, denominator: 9_999_990).frameRate == FrameRate(30))
        #expect(FrameInterval(numerator: 0, denominator: 30).frameRate == nil)
        #expect(FrameInterval(numerator: 1, denominator: .max).frameRate == nil)
    }
}
