// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraCapture
import ObscuraMedia
import Testing

@testable import ObscuraDevices

@Suite("The kernel's numbers of frames")
struct V4L2NumbersTests {
    private func numbers(_ raw: [UInt32]) -> [[UInt64]] {
        var numbers = V4L2Numbers()
        return raw.map { numbers.number(of: $0) }.map { [$0.number, $0.gap] }
    }

    @Test("Steps of more than one are gaps")
    func gaps() {
        #expect(numbers([0, 1, 5, 6]) == [[0, 0], [1, 0], [5, 3], [6, 0]])
    }

    @Test("What is missing before the first frame is a gap; a counter that ran before is none")
    func first() {
        #expect(numbers([2, 3]) == [[2, 2], [3, 0]])
        #expect(numbers([4_000_000, 4_000_001]) == [[0, 0], [1, 0]])
    }

    @Test("The counter's end is no gap")
    func wrap() {
        #expect(numbers([.max - 1, .max, 0, 2]) == [[0, 0], [1, 0], [2, 0], [4, 1]])
    }

    @Test("A driver that repeats itself or goes back counts badly, and loses nothing")
    func badCounters() {
        #expect(numbers([5, 5, 4, 7]) == [[5, 5], [6, 0], [7, 0], [10, 2]])
    }

    @Test("A new stream goes on where the last one ended")
    func streams() {
        var numbers = V4L2Numbers()
        _ = numbers.number(of: 0)
        _ = numbers.number(of: 1)
        numbers.beginStream()
        #expect(numbers.number(of: 0).number == 2)
        numbers.beginStream()
        let late = numbers.number(of: 3)
        #expect(late.number == 6 && late.gap == 3)
    }
}

@Suite("What is done when a camera stops giving frames")
struct V4L2RecoveryTests {
    private func error(_ code: CaptureError.Code) -> CaptureError {
        CaptureError(code, subject: "camera", reason: "test")
    }

    @Test("A camera that is gone or taken is waited for, for as long as it takes")
    func waits() {
        var recovery = V4L2Recovery()
        for _ in 0..<1000 {
            #expect(
                recovery.step(after: error(.deviceDisconnected))
                    == .retry(reason: .deviceDisconnected, pause: .milliseconds(500)))
            #expect(recovery.step(after: error(.deviceInUse)) == .retry(reason: .deviceInUse, pause: .seconds(2)))
        }
    }

    @Test("A stream that breaks is started three times, a little later each time; frames begin the count anew")
    func failures() {
        var recovery = V4L2Recovery()
        for _ in 0..<2 {
            let steps = (0..<3).map { _ in recovery.step(after: error(.deviceFailed)) }
            #expect(
                steps
                    == [50, 200, 800].map { .retry(reason: .streamFailed, pause: .milliseconds($0)) })
            recovery.delivered()
        }
        for _ in 0..<3 { _ = recovery.step(after: error(.deviceFailed)) }
        #expect(recovery.step(after: error(.deviceFailed)) == .end)
    }

    @Test("A camera without frames is started again for ever, in pauses of up to five seconds")
    func stalls() {
        var recovery = V4L2Recovery()
        let steps = (0..<40).map { _ in recovery.step(after: nil) }
        #expect(steps.first == .retry(reason: .stalled, pause: .milliseconds(100)))
        #expect(steps.last == .retry(reason: .stalled, pause: .milliseconds(5000)))
    }

    @Test("A right that does not come is the end, after ten seconds")
    func refusals() {
        var recovery = V4L2Recovery()
        for _ in 0..<20 { #expect(recovery.step(after: error(.notAuthorized)) != .end) }
        #expect(recovery.step(after: error(.notAuthorized)) == .end)
    }

    @Test("Another mode than before is the end")
    func formats() {
        var recovery = V4L2Recovery()
        #expect(recovery.step(after: error(.unsupportedFormat)) == .end)
    }
}

@Suite("How the kernel lays out pictures")
struct V4L2LayoutTests {
    private func shape(_ name: StaticString, _ width: Int, _ height: Int, _ strides: [Int]) throws -> V4L2Shape {
        let layout = try #require(V4L2Layout.of(FourCC(name)))
        return V4L2Shape(layout: layout, size: PixelSize(width: width, height: height), strides: strides)
    }

    @Test("Four letters are four letters, whatever a driver writes there")
    func letters() {
        #expect(FourCC("YUYV").description == "YUYV")
        #expect(FourCC("YUYV").rawValue == 0x5659_5559)
        #expect(FourCC("Y8").description == "Y8  ")
        #expect(FourCC(rawValue: 0x0141_0041).description == "A.A.")
    }

    @Test("Every layout has the planes of its pixel format, within its memory")
    func allLayouts() throws {
        for layout in V4L2Layout.known {
            let size = PixelSize(width: 322, height: 181)
            let shape = V4L2Shape(layout: layout, size: size, strides: [])
            let planes = layout.pixelFormat.planes(width: size.width, height: size.height)
            #expect(shape.planes.count == planes.count)
            for (plane, expected) in zip(shape.planes, planes) {
                #expect(plane.bytesPerRow >= expected.rowBytes)
                #expect(plane.byteCount == (expected.rows - 1) * plane.bytesPerRow + expected.rowBytes)
                #expect(plane.offset + plane.byteCount <= shape.byteCounts[plane.part])
            }
        }
    }

    @Test("A driver's padding is kept, and chroma has its part of it")
    func strides() throws {
        let nv12 = try shape("NV12", 320, 180, [384])
        #expect(nv12.planes.map(\.bytesPerRow) == [384, 384])
        #expect(nv12.planes.map(\.offset) == [0, 384 * 180])
        let i420 = try shape("YU12", 320, 180, [384])
        #expect(i420.planes.map(\.bytesPerRow) == [384, 192, 192])
        #expect(i420.planes.map(\.offset) == [0, 384 * 180, 384 * 180 + 192 * 90])
        #expect(i420.byteCounts == [384 * 180 + 192 * 180 - 32])
    }

    @Test("Cr before Cb is Cb before Cr for everybody else")
    func swapped() throws {
        let (plain, swapped) = (try shape("YU12", 64, 32, [64]), try shape("YV12", 64, 32, [64]))
        #expect(swapped.planes == [plain.planes[0], plain.planes[2], plain.planes[1]])
    }

    @Test("Planes with memory of their own begin at its beginning")
    func separate() throws {
        let shape = try shape("YM12", 320, 180, [320, 192, 192])
        #expect(shape.planes.map(\.part) == [0, 1, 2])
        #expect(shape.planes.map(\.offset) == [0, 0, 0])
        #expect(shape.planes.map(\.bytesPerRow) == [320, 192, 192])
    }

    @Test("A stride that is too short for a row is none")
    func liar() throws {
        #expect(try shape("YUYV", 320, 180, [1]).planes.map(\.bytesPerRow) == [640])
    }

    @Test("Compressed pictures have no planes")
    func compressed() throws {
        #expect(try shape("MJPG", 320, 180, [0]) == shape("H264", 320, 180, []))
    }
}

@Suite("What the kernel says of colours")
struct V4L2ColorsTests {
    private func meaning(
        _ colorSpace: UInt32, _ encoding: UInt32 = 0, _ quantization: UInt32 = 0, _ format: PixelFormat = .yuyv
    ) -> ColorSpace? {
        V4L2Colors(colorSpace: colorSpace, encoding: encoding, quantization: quantization, transfer: 0)
            .meaning(for: format)
    }

    @Test("A driver that says nothing is not believed to have said something")
    func silence() {
        #expect(meaning(0) == nil)
    }

    @Test(
        "The defaults are those of the kernel",
        arguments: [
            (UInt32(1), ColorSpace.Matrix.bt601, ColorSpace.Range.limited),  // SMPTE170M
            (3, .bt709, .limited),  // REC709
            (7, .bt601, .full),  // JPEG
            (8, .bt601, .limited),  // SRGB
            (10, .bt2020, .limited),  // BT2020
            (99, .bt601, .limited),
        ])
    func defaults(colorSpace: UInt32, matrix: ColorSpace.Matrix, range: ColorSpace.Range) {
        let meaning = meaning(colorSpace)
        #expect(meaning?.matrix == matrix)
        #expect(meaning?.range == range)
        #expect(meaning?.isAssumed == false)
    }

    @Test("What is said outright counts more than a default")
    func explicit() {
        #expect(meaning(3, 1, 1)?.matrix == .bt601)
        #expect(meaning(3, 1, 1)?.range == .full)
        #expect(meaning(1, 2, 2)?.matrix == .bt709)
        #expect(meaning(7, 0, 2)?.range == .limited)
    }

    @Test("RGB has the full range unless the driver says otherwise")
    func rgb() {
        #expect(meaning(8, 0, 0, .bgra)?.range == .full)
        #expect(meaning(8, 0, 2, .bgra)?.range == .limited)
    }
}

@Suite("Modes of drivers that take any size or rate")
struct V4L2ModesTests {
    private func size(_ width: Int, _ height: Int) -> PixelSize { PixelSize(width: width, height: height) }

    @Test("Of a range the usual sizes are listed, and its ends")
    func sizes() {
        let sizes = V4L2Modes.usualSizes(from: size(48, 32), to: size(1300, 800), step: size(16, 8))
        #expect(sizes.first == size(48, 32))
        #expect(sizes.last == size(1300, 800))
        #expect(sizes.contains(size(1280, 720)) && sizes.contains(size(640, 480)))
        // 180 is not on the grid.
        #expect(!sizes.contains(size(320, 180)))
        #expect(!sizes.contains(size(1920, 1080)))
    }

    @Test("Of a range of rates the usual ones are listed, and its ends where they are sane")
    func rates() {
        let rates = V4L2Modes.usualRates(
            shortest: V4L2Interval(numerator: 1, denominator: 42), longest: V4L2Interval(numerator: 1, denominator: 10))
        #expect(Set(rates.map(\.framesPerSecond)) == [42, 30, 25, 20, 15, 10])
        let any = V4L2Modes.usualRates(
            shortest: V4L2Interval(numerator: 1, denominator: .max),
            longest: V4L2Interval(numerator: .max, denominator: 1))
        #expect(any.isEmpty)
        let endless = V4L2Modes.usualRates(
            shortest: V4L2Interval(numerator: 1, denominator: 1_000_000),
            longest: V4L2Interval(numerator: 100, denominator: 1))
        #expect(endless.map(\.framesPerSecond) == [120, 90, 60, 50, 30, 25, 20, 15, 10, 5])
    }

    @Test("An interval is a rate in lowest terms, or none")
    func intervals() {
        #expect(V4L2Interval(numerator: 1001, denominator: 30000).frameRate == FrameRate(30000, per: 1001))
        #expect(V4L2Interval(numerator: 333_333, denominator: 9_999_990).frameRate == FrameRate(30))
        #expect(V4L2Interval(numerator: 0, denominator: 30).frameRate == nil)
        #expect(V4L2Interval(numerator: 1, denominator: .max).frameRate == nil)
    }
}
