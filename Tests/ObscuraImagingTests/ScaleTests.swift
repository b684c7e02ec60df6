// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraImaging
import ObscuraMedia
import TestSupport
import Testing

/// RGB at another size, compared with exact arithmetic.
@Suite struct ScaleTests {
    @Test(arguments: [(19, 13), (1, 1), (2, 7), (64, 3)])
    func `each pixel is the mean of what it covers, or lies between its neighbors`(width: Int, height: Int) throws {
        let source = try PixelBuffer.noise(.bgra, width, height)
        let samples = source.samples(ofPlane: 0)
        for (newWidth, newHeight) in [(19, 13), (1, 1), (7, 5), (18, 12), (20, 14), (40, 2), (3, 33), (100, 100)] {
            var request = ImageRequest(size: PixelSize(width: newWidth, height: newHeight))
            request.fit = .stretch
            let result = try ImageTransformer.transform(source, request).samples(ofPlane: 0)
            let columns = (0..<newWidth).map { Self.weights($0, width, newWidth) }
            let rows = (0..<newHeight).map { Self.weights($0, height, newHeight) }
            for (index, sample) in result.enumerated() {
                let (x, y, channel) = (index / 4 % newWidth, index / 4 / newWidth, index % 4)
                var sum = 0.0
                for (row, share) in rows[y] {
                    for (column, part) in columns[x] {
                        sum += share * part * Double(samples[(row * width + column) * 4 + channel])
                    }
                }
                #expect(abs(sum - Double(sample)) < 0.51, "(\(x), \(y)) of \(newWidth)x\(newHeight)")
            }
        }
    }

    /// The weights of the old pixels for a new one in one direction.
    private static func weights(_ index: Int, _ old: Int, _ new: Int) -> [(Int, Double)] {
        let ratio = Double(old) / Double(new)
        guard old <= new else {
            let (begin, end) = (Double(index) * ratio, Double(index + 1) * ratio)
            return (0..<old).map { ($0, max(0, min(end, Double($0 + 1)) - max(begin, Double($0))) / ratio) }
        }
        let center = min(max(0, (Double(index) + 0.5) * ratio - 0.5), Double(old - 1))
        return (0..<old).map { ($0, max(0, 1 - abs(center - Double($0)))) }
    }
}
