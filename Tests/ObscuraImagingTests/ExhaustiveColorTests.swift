// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraImaging
import ObscuraMedia
import TestSupport
import Testing

/// Every code there is, on every variant of the kernels that this machine can run.
@Suite struct ExhaustiveColorTests {
    static let variants = PixelKernels.Variant.allCases.filter { PixelKernels($0) != nil }

    @Test(arguments: variants, ColorSpace.pairs)
    func `every Y, Cb and Cr of 8 bits becomes RGB to within 1`(
        variant: PixelKernels.Variant, space: ColorSpace
    ) throws {
        let kernels = try #require(PixelKernels(variant))
        let exact = ExactTable(space, bitDepth: 8)
        var source = try PixelBuffer(format: .i444, width: 256, height: 256, colorSpace: space)
        try source.fill { plane, x, row in UInt16(plane == 0 ? x : row) }
        var result = try PixelBuffer(format: .bgra, width: 256, height: 256)
        var worst = 0
        for cr in 0..<256 {
            try source.setPlane(2, to: UInt8(cr))
            try kernels.convertToRGB(source, into: &result)
            worst = max(worst, exact.largestDifference(result, firstCb: 0, cr: cr))
        }
        #expect(worst <= 1)
    }

    @Test(arguments: variants, ColorSpace.pairs)
    func `every Y and Cb of 10 bits becomes RGB to within 1`(
        variant: PixelKernels.Variant, space: ColorSpace
    ) throws {
        let kernels = try #require(PixelKernels(variant))
        let exact = ExactTable(space, bitDepth: 10)
        var source = try PixelBuffer(format: .i410, width: 1024, height: 1024, colorSpace: space)
        var result = try PixelBuffer(format: .bgra, width: 1024, height: 1024)
        var worst = 0
        for cr in [0, 64, 257, 511, 514, 803, 960, 1023] {
            try source.fill10 { plane, x, row in plane == 0 ? x : plane == 1 ? row : cr }
            try kernels.convertToRGB(source, into: &result)
            worst = max(worst, exact.largestDifference(result, firstCb: 0, cr: cr))
        }
        #expect(worst <= 1)
    }

    @Test(arguments: variants, ColorSpace.pairs)
    func `every red, green and blue becomes Y, Cb and Cr to within 1`(
        variant: PixelKernels.Variant, space: ColorSpace
    ) throws {
        let kernels = try #require(PixelKernels(variant))
        let exact = ExactTable(toYUV: space)
        var source = try PixelBuffer(format: .rgba, width: 256, height: 256)
        try source.fill { _, x, row in UInt16(x % 4 == 0 ? x / 4 : row) }
        var result = try PixelBuffer(format: .i444, width: 256, height: 256, colorSpace: space)
        var worst = 0
        for blue in 0..<256 {
            try source.setThirdBytes(to: UInt8(blue))
            try kernels.convertFromRGB(source, into: &result)
            worst = max(worst, exact.largestDifference(fromRed: result, blue: blue))
        }
        #expect(worst <= 1)
    }

    @Test(arguments: variants, ColorSpace.pairs)
    func `every Y, Cb and Cr becomes that of another space to within 1`(
        variant: PixelKernels.Variant, space: ColorSpace
    ) throws {
        let kernels = try #require(PixelKernels(variant))
        var source = try PixelBuffer(format: .i444, width: 256, height: 256, colorSpace: space)
        try source.fill { plane, x, row in UInt16(plane == 0 ? x : row) }
        for target in ColorSpace.pairs where !(target.matrix == space.matrix && target.range == space.range) {
            let exact = ExactTable(from: space, to: target)
            var result = try PixelBuffer(format: .i444, width: 256, height: 256, colorSpace: target)
            var worst = 0
            for cr in stride(from: 0, through: 255, by: 51) {
                try source.setPlane(2, to: UInt8(cr))
                try kernels.recolor(source, into: &result)
                worst = max(worst, exact.largestDifference(planes: result, third: cr))
            }
            #expect(worst <= 1, "to \(target.matrix) \(target.range)")
        }
    }

    @Test(arguments: ColorSpace.Range.allCases)
    func `every code of 10 bits becomes the nearest of 8 bits`(range: ColorSpace.Range) throws {
        let space = ColorSpace(matrix: .bt709, range: range)
        var source = try PixelBuffer(format: .i410, width: 1024, height: 1, colorSpace: space)
        try source.fill { _, x, _ in UInt16(x) }
        var result = try PixelBuffer(format: .i444, width: 1024, height: 1, colorSpace: space)
        try PixelKernels.narrow(source, into: &result)
        let (from, to) = (ExactColors(space, bitDepth: 10), ExactColors(space))
        let exact = source.pixels().map { codes in
            to.codes(from.signals(codes)).clamped(lowerBound: .zero, upperBound: SIMD3(repeating: 255))
        }
        // Half a code is the nearest there is; the rest is the noise of the reference.
        #expect(result.pixels().difference(from: exact) <= 0.5 + 1e-9)
    }
}

/// The three results for all inputs, as sums of table entries: exact real numbers in units of 2^-40, because
/// a formula for each of 17 million pixels takes too long in a debug build.
private struct ExactTable {
    /// For each of the results, what the first, second and third number add to it.
    private var parts: [[[Int64]]]
    private let count: Int

    init(_ space: ColorSpace, bitDepth: Int) {
        let exact = ExactColors(space, bitDepth: bitDepth)
        self.init(count: 1 << bitDepth) { exact.rgb($0) }
    }

    init(toYUV space: ColorSpace) {
        let exact = ExactColors(space)
        self.init(count: 256) { exact.yuv($0) }
    }

    init(from source: ColorSpace, to target: ColorSpace) {
        let (from, to) = (ExactColors(source), ExactColors(target))
        self.init(count: 256) { to.yuv(from.rgb($0)) }
    }

    /// - Parameter function: an affine one, so that it is the sum of its parts.
    private init(count: Int, _ function: (SIMD3<Double>) -> SIMD3<Double>) {
        self.count = count
        let zero = function(.zero)
        let unit = Double(1 << 40)
        parts = (0..<3).map { result in
            (0..<3).map { input in
                (0..<count).map { code in
                    var codes = SIMD3<Double>.zero
                    codes[input] = Double(code)
                    let part = function(codes)[result] - zero[result]
                    // The constant, and the half for rounding, go with the first number.
                    let constant = input == 0 ? zero[result] + 0.5 : 0
                    return Int64(((part + constant) * unit).rounded())
                }
            }
        }
    }

    /// Of a BGRA picture whose columns are Y and whose rows are Cb.
    func largestDifference(_ picture: PixelBuffer, firstCb: Int, cr: Int) -> Int {
        let offsets = [2, 1, 0]
        return picture.withBytes(ofPlane: 0) { bytes in
            (0..<3).reduce(0) { worst, result in
                max(worst, compare(bytes, picture.bytesPerRow(ofPlane: 0), 4, offsets[result], result, cr))
            }
        }
    }

    /// Of an I444 picture whose columns were Y and whose rows were Cb.
    func largestDifference(planes picture: PixelBuffer, third: Int) -> Int {
        (0..<3).reduce(0) { worst, result in
            picture.withBytes(ofPlane: result) { bytes in
                max(worst, compare(bytes, picture.bytesPerRow(ofPlane: result), 1, 0, result, third))
            }
        }
    }

    /// Of an I444 picture whose columns were red and whose rows were green.
    func largestDifference(fromRed picture: PixelBuffer, blue: Int) -> Int {
        largestDifference(planes: picture, third: blue)
    }

    private func compare(
        _ bytes: RawSpan, _ stride: Int, _ step: Int, _ offset: Int, _ result: Int, _ third: Int
    ) -> Int {
        let thirdPart = parts[result][2][third]
        return bytes.withUnsafeBytes { raw in
            parts[result][0].withUnsafeBufferPointer { first in
                parts[result][1].withUnsafeBufferPointer { second in
                    guard let base = raw.baseAddress?.assumingMemoryBound(to: UInt8.self),
                        let first = first.baseAddress, let second = second.baseAddress
                    else { return .max }
                    // Plain loops: a debug build makes calls of anything finer.
                    var worst = 0
                    var row = 0
                    while row < count {
                        let constant = second[row] &+ thirdPart
                        var byte = base + (row &* stride &+ offset)
                        var x = 0
                        while x < count {
                            var exact = Int(truncatingIfNeeded: (first[x] &+ constant) &>> 40)
                            if exact < 0 { exact = 0 } else if exact > 255 { exact = 255 }
                            let difference = Int(truncatingIfNeeded: byte.pointee) &- exact
                            if difference > worst { worst = difference }
                            if 0 &- difference > worst { worst = 0 &- difference }
                            byte += step
                            x &+= 1
                        }
                        row &+= 1
                    }
                    return worst
                }
            }
        }
    }
}

extension PixelBuffer {
    fileprivate mutating func setPlane(_ plane: Int, to value: UInt8) throws {
        try withMutableBytes(ofPlane: plane) { bytes in
            bytes.withUnsafeMutableBytes { raw in _ = raw.initializeMemory(as: UInt8.self, repeating: value) }
        }
    }

    /// The third byte of each pixel.
    fileprivate mutating func setThirdBytes(to value: UInt8) throws {
        try withMutableBytes(ofPlane: 0) { bytes in
            bytes.withUnsafeMutableBytes { raw in
                guard let base = raw.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
                var offset = 2
                while offset < raw.count {
                    base[offset] = value
                    offset &+= 4
                }
            }
        }
    }

    /// As `fill`, for 16-bit planes without padding, quickly.
    fileprivate mutating func fill10(_ value: (_ plane: Int, _ x: Int, _ row: Int) -> Int) throws {
        for plane in 0..<planeCount {
            try withMutableBytes(ofPlane: plane) { bytes in
                bytes.withUnsafeMutableBytes { raw in
                    guard let base = raw.baseAddress?.assumingMemoryBound(to: UInt16.self) else { return }
                    var row = 0
                    while row < 1024 {
                        var x = 0
                        while x < 1024 {
                            base[row &* 1024 &+ x] = UInt16(truncatingIfNeeded: value(plane, x, row))
                            x &+= 1
                        }
                        row &+= 1
                    }
                }
            }
        }
    }
}
