// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import ObscuraMedia
import TestSupport
import Testing

@Suite struct PixelBufferTests {
    private final class Lease: Sendable {
        private let onEnd: @Sendable () -> Void

        init(onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }

        deinit { onEnd() }
    }

    @Test func `The only reference writes in place`() throws {
        var picture = try PixelBuffer(format: .gray8, width: 8, height: 2)
        let before = picture.address
        try picture.setFirst(7)
        #expect(picture.address == before)
        #expect(picture.first == 7)
    }

    @Test func `Writing a shared picture copies it first, with all that it means`() throws {
        let original = try PixelBuffer(format: .i420, width: 7, height: 5, colorSpace: .bt2020)
        var copy = original
        #expect(copy.isIdentical(to: original))
        try copy.setFirst(9)
        #expect(!copy.isIdentical(to: original))
        #expect(original.first == 0)
        #expect(copy.first == 9)
        #expect(copy.colorSpace == .bt2020)
        #expect(copy.size == original.size)
        #expect(copy.format == .i420)
    }

    @Test(arguments: [(PixelFormat.i420, 31, 17), (.nv12, 32, 18), (.bgra, 630, 130), (.gray8, 64, 4), (.gray8, 33, 5)])
    func `The parts of a picture are its planes without padding`(format: PixelFormat, width: Int, height: Int) throws {
        var picture = try PixelBuffer(format: format, width: width, height: height)
        for plane in 0..<picture.planeCount {
            try picture.withMutableBytes(ofPlane: plane) { bytes in
                for place in 0..<bytes.byteCount {
                    bytes.storeBytes(
                        of: UInt8(truncatingIfNeeded: place / 7 + plane), toByteOffset: place, as: UInt8.self)
                }
            }
        }
        var (bytes, parts): ([UInt8], Int) = ([], 0)
        picture.withPackedParts { part in
            for place in 0..<part.byteCount { bytes.append(part.unsafeLoad(fromByteOffset: place, as: UInt8.self)) }
            parts += 1
        }
        #expect(bytes == picture.packedBytes())
        // 328 KB with padding come in copies of at most 128 KiB.
        #expect(parts == (width == 630 ? 3 : picture.planeCount))
    }

    @Test func `A picture is pasted at whole blocks of chroma, and inside`() throws {
        var picture = try PixelBuffer(format: .i420, width: 9, height: 7)
        var part = try PixelBuffer(format: .i420, width: 5, height: 3)
        for plane in 0..<3 {
            try part.withMutableBytes(ofPlane: plane) { bytes in
                for place in 0..<bytes.byteCount { bytes.storeBytes(of: 7, toByteOffset: place, as: UInt8.self) }
            }
        }
        try picture.paste(part, x: 4, y: 4)
        /// The samples of a plane, with the part below and right of a place.
        func plane(_ width: Int, _ height: Int, from place: Int) -> [UInt8] {
            var samples: [UInt8] = []
            for row in 0..<height {
                for column in 0..<width { samples.append(row >= place && column >= place ? 7 : 0) }
            }
            return samples
        }
        let expected = plane(9, 7, from: 4) + plane(5, 4, from: 2) + plane(5, 4, from: 2)
        #expect(picture.packedBytes() == expected)
        for (x, y) in [(1, 0), (0, 1), (3, 2), (-2, 0), (0, -2), (6, 0), (0, 6)] {
            #expect(throws: ObscuraError.self, "at \(x), \(y)") { try picture.paste(part, x: x, y: y) }
        }
        try picture.paste(PixelBuffer(format: .i420, width: 2, height: 2), x: 0, y: 0)
        let other = try PixelBuffer(format: .gray8, width: 2, height: 2)
        #expect(throws: ObscuraError.self) { try picture.paste(other, x: 0, y: 0) }
        #expect(picture.packedBytes() == expected)
    }

    @Test func `A picture whose storage may not be written is copied, also by its only holder`() throws {
        let original = try PixelBuffer(format: .bgra, width: 3, height: 3)
        let returns = Count()
        var loan: PixelBuffer? = original.lent { returns.add() }
        let before = loan?.address
        #expect(before == original.address)
        try loan?.setFirst(5)
        #expect(loan?.address != before)
        #expect(original.first == 0)
        #expect(loan?.first == 5)
        // The copy took the loan's place: it has gone home.
        #expect(returns.now == 1)
        loan = nil
        #expect(returns.now == 1)
    }

    @Test func `A copy made for writing comes out of the pool of the original`() throws {
        let pool = PixelBufferPool(capacity: 2)
        let original = try pool.makeBuffer(format: .gray8, width: 16, height: 16)
        var copy = original
        try copy.setFirst(1)
        #expect(pool.counts.inUse == 2)
        var refused = original
        let error = #expect(throws: ObscuraError.self) { try refused.setFirst(2) }
        #expect(error?.code == .poolExhausted)
        #expect(refused.isIdentical(to: original))
    }

    @Test func `A lender's memory is given back once, when the last holder has gone, and not before`() throws {
        let original = try PixelBuffer(format: .gray8, width: 4, height: 4)
        let returns = Count()
        var first: PixelBuffer? = original.lent { returns.add() }
        var second = first
        first = nil
        #expect(returns.now == 0)
        #expect(second?.planeCount == 1)
        second = nil
        #expect(returns.now == 1)
    }

    @Test func `Thirty threads that let go of one picture give it back once`() throws {
        for _ in 0..<50 {
            let returns = Count()
            let holders = Lock<[PixelBuffer]>([])
            do {
                let picture = try PixelBuffer(format: .gray8, width: 4, height: 4).lent { returns.add() }
                holders.withLock { $0 = [PixelBuffer](repeating: picture, count: 30) }
            }
            #expect(onThreads(30) { _ in withExtendedLifetime(holders.withLock { $0.popLast() }) {} })
            #expect(returns.now == 1)
        }
    }

    @Test func `A copy of the pixels does not hold the lease, a copy for writing does`() throws {
        let ended = Count()
        var held: PixelBuffer? = try PixelBuffer(format: .gray8, width: 4, height: 4)
        held?.lease = Lease { ended.add() }
        let copy = try held?.copy()
        #expect(ended.now == 0)
        var other = held
        try held?.setFirst(3)
        #expect(other?.address != held?.address)
        other = nil
        #expect(ended.now == 0)
        held = nil
        #expect(ended.now == 1)
        #expect(copy?.width == 4)
    }

    @Test func `Padding of another stride is left out of a copy`() throws {
        var picture = try PixelBuffer(format: .i010, width: 5, height: 3)
        for plane in 0..<picture.planeCount {
            try picture.withMutableBytes(ofPlane: plane) { bytes in
                for offset in 0..<bytes.byteCount {
                    bytes.storeBytes(
                        of: UInt8(truncatingIfNeeded: offset + plane), toByteOffset: offset, as: UInt8.self)
                }
            }
        }
        let copy = try picture.copy()
        for (plane, layout) in picture.planes.enumerated() {
            for row in 0..<layout.rows {
                for column in 0..<layout.rowBytes {
                    let offset = row * picture.bytesPerRow(ofPlane: plane) + column
                    #expect(copy.byte(offset, plane) == picture.byte(offset, plane))
                }
            }
        }
    }

    @Test func `No picture is left alive when all have gone home`() async {
        await #expect(processExitsWith: .success) {
            let pool = PixelBufferPool(capacity: 8)
            for size in 1...40 {
                let picture = try PixelBuffer(format: .nv12, width: size, height: size)
                var copy = picture
                try copy.setFirst(1)
                let pooled = try pool.makeBuffer(format: .bgra, width: size, height: size)
                let loan = pooled.lent {}
                try #require(PixelBuffer.liveCount == 4)
                withExtendedLifetime((picture, copy, pooled, loan)) {}
            }
            try #require(PixelBuffer.liveCount == 0)
            try #require(pool.counts.inUse == 0)
        }
    }
}

extension PixelBuffer {
    fileprivate var first: UInt8 { byte(0, 0) }

    fileprivate func byte(_ offset: Int, _ plane: Int) -> UInt8 {
        withBytes(ofPlane: plane) { $0.unsafeLoad(fromByteOffset: offset, as: UInt8.self) }
    }

    fileprivate mutating func setFirst(_ value: UInt8) throws {
        try withMutableBytes(ofPlane: 0) { $0.storeBytes(of: value, as: UInt8.self) }
    }

    /// Where the first plane lies.
    fileprivate var address: UnsafeMutableRawPointer? { withPlanes { $0.first?.base } }
}
