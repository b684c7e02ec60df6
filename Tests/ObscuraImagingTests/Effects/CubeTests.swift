// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraImaging
import ObscuraMedia
import TestSupport
import Testing

@Suite struct CubeTests {
    private func cube(_ text: String) throws -> CubeFile {
        try CubeFile(Array(text.utf8), name: "grade.cube")
    }

    /// A cube with entries that look random.
    private func noise(_ size: Int, minimum: Double = 0, maximum: Double = 1) throws -> CubeFile {
        var dice = Dice(seed: UInt64(size))
        var text = "LUT_3D_SIZE \(size)\nDOMAIN_MIN \(minimum) \(minimum) 0\nDOMAIN_MAX \(maximum) 1.5 \(maximum)\n"
        for _ in 0..<(size * size * size) {
            text += (0..<3).map { _ in "\(Float.random(in: -0.2...1.2, using: &dice))" }.joined(separator: " ") + "\n"
        }
        return try cube(text)
    }

    /// What a colour of numbers 0 to 1 becomes, by the definition, in codes.
    private func expected(_ file: CubeFile, _ color: [Double]) -> [Double] {
        let places = (0..<3).map { channel in
            let share =
                (color[channel] - file.domainMinimum[channel])
                / (file.domainMaximum[channel] - file.domainMinimum[channel])
            return min(max(0, share), 1) * Double(file.size - 1)
        }
        if file.dimension == .one {
            return (0..<3).map { channel in
                let lower = Int(places[channel])
                let (a, b) = (file.colors[lower][channel], file.colors[min(lower + 1, file.size - 1)][channel])
                let value = Double(a) + (Double(b) - Double(a)) * (places[channel] - Double(lower))
                return min(max(0, value), 1) * 255
            }
        }
        // From the lower node to the upper one, first along the direction in which the colour lies furthest.
        var node = places.map { min(Int($0), file.size - 2) }
        let fractions = (0..<3).map { places[$0] - Double(node[$0]) }
        func value(_ channel: Int) -> Double {
            let entry = file.colors[node[0] + file.size * (node[1] + file.size * node[2])][channel]
            return Double(min(max(0, entry), 1)) * 255
        }
        var sum = (0..<3).map(value)
        for direction in (0..<3).sorted(by: { fractions[$0] > fractions[$1] }) {
            let before = (0..<3).map(value)
            node[direction] += 1
            for channel in 0..<3 { sum[channel] += fractions[direction] * (value(channel) - before[channel]) }
        }
        return sum
    }

    private func check(_ file: CubeFile, _ format: PixelFormat, _ size: PixelSize) throws {
        let picture = try PixelBuffer.strayNoise(format, size)
        let made = try LookupEffect(file).render(picture, EffectContext()).packedBytes()
        let before = picture.packedBytes()
        let order = format == .bgra ? [2, 1, 0] : [0, 1, 2]
        for pixel in stride(from: 0, to: before.count, by: 4) {
            let color = expected(file, order.map { Double(before[pixel + $0]) / 255 })
            for channel in 0..<3 {
                // Numbers of 32 bits may fall on the other side of a half.
                #expect(abs(Double(made[pixel + order[channel]]) - color[channel]) < 0.501, "\(format) \(size)")
            }
            #expect(made[pixel + 3] == before[pixel + 3])
        }
    }

    @Test func `a cube gives each colour what the definition says`() throws {
        for file in [try noise(2), try noise(5), try noise(17, minimum: 0.2, maximum: 0.7), try noise(33, minimum: -1)]
        {
            for size in [(1, 1), (3, 3), (31, 4), (65, 33)] {
                try check(file, .bgra, PixelSize(width: size.0, height: size.1))
                try check(file, .rgba, PixelSize(width: size.0, height: size.1))
            }
        }
    }

    @Test func `curves give each channel what the definition says`() throws {
        let file = try cube(
            "TITLE \"A curve\"\nLUT_1D_SIZE 4\nLUT_1D_INPUT_RANGE 0.1 0.9\n1 0 0\n0.2 0.3 0.6\n0.9 -3 0.7\n0 0.5 7\n")
        #expect(file.title == "A curve" && file.dimension == .one && file.size == 4)
        for size in [(1, 1), (33, 7), (65, 33)] {
            try check(file, .bgra, PixelSize(width: size.0, height: size.1))
            try check(file, .rgba, PixelSize(width: size.0, height: size.1))
        }
    }

    @Test func `a curve may be as long as a curve may be`() throws {
        let text = "LUT_1D_SIZE 65536\n" + (0..<65536).map { "\(Double($0) / 65535) 0 1\n" }.joined()
        try check(try cube(text), .bgra, PixelSize(width: 31, height: 4))
    }

    @Test func `a cube that changes nothing changes nothing, on large pictures too`() throws {
        var text = "# as it is\nLUT_3D_SIZE 6\n"
        for index in 0..<216 {
            text += "\(Double(index % 6) / 5) \(Double(index / 6 % 6) / 5) \(Double(index / 36) / 5)\n"
        }
        for size in effectSizes + largeSizes {
            let picture = try PixelBuffer.strayNoise(.bgra, size)
            let made = try VideoEffect.lut(cube(text)).renderer.render(picture, EffectContext())
            #expect(made.packedBytes() == picture.packedBytes(), "\(size)")
        }
    }

    @Test func `all the ways in which such files are written`() throws {
        let files = [
            "LUT_3D_SIZE 2\r\n0 0 0\r\n1 0 0\r\n0 1 0\r\n1 1 0\r\n0 0 1\r\n1 0 1\r\n0 1 1\r\n1 1 1\r\n",
            "\u{feff}# made by hand\n\nTITLE \"x\"\n  LUT_3D_SIZE\t2\n0 0 0\n1.0 0 0\n# between\n0 1e0 0\n1 1 0\n0 0 1\n"
                + "1 0 1\n\n0 1 1\n1 1 1",
            "TITLE no quotes\nDOMAIN_MAX 1 1 1\nDOMAIN_MIN 0 0 0\nLUT_3D_SIZE 2\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 0 1\n"
                + "1 0 1\n0 1 1\n1 1 1\n   \n",
        ]
        #expect(try files.map { try cube($0).title } == [nil, "x", "no quotes"])
        #expect(try cube(" TITLE \"\"\nLUT_1D_SIZE 2\n0 0 0\n1 1 1\n").title == nil)
        let colors = try files.map { try cube($0).colors }
        #expect(colors.allSatisfy { $0 == colors[0] && $0.count == 8 })
    }

    private let eight = String(repeating: "0 0 0\n", count: 8)

    @Test func `pictures of four bytes a pixel are looked up as they are`() throws {
        let file = try CubeFile(Array("LUT_1D_SIZE 2\n0 0 0\n1 1 1\n".utf8))
        let accepted = PixelFormat.allCases.filter { LookupEffect(file).accepts($0) }
        #expect(Set(accepted) == [.bgra, .rgba])
    }

    @Test func `a broken file is refused with the line that is wrong`() throws {
        let files: [(String, String)] = [
            ("", "it is empty"),
            ("# nothing\n", "it has neither LUT_1D_SIZE nor LUT_3D_SIZE"),
            ("hello world\n", "line 1: hello is not a keyword of .cube files"),
            ("\u{0}\u{1}\u{2}\n", "line 1: a color precedes LUT_1D_SIZE or LUT_3D_SIZE"),
            ("0 0 0\n", "line 1: a color precedes LUT_1D_SIZE or LUT_3D_SIZE"),
            ("LUT_3D_SIZE\n", "line 1: LUT_3D_SIZE must be an integer of at least 2"),
            ("LUT_3D_SIZE 1\n0 0 0\n", "line 1: LUT_3D_SIZE must be an integer of at least 2"),
            ("LUT_3D_SIZE -7\n", "line 1: LUT_3D_SIZE must be an integer of at least 2"),
            ("LUT_3D_SIZE 2\nLUT_1D_SIZE 2\n", "line 2: only one LUT_1D_SIZE or LUT_3D_SIZE is allowed"),
            ("LUT_3D_SIZE 2\n" + eight + "0 0 0\n", "line 10: the table has more than 8 colors"),
            ("LUT_3D_SIZE 2\n0 0 0\n", "it ends after 1 of 8 colors"),
            ("LUT_3D_SIZE 2\n", "it ends after 0 of 8 colors"),
            ("LUT_3D_SIZE 2\n0 0\n", "line 2: a color has 2 numbers instead of 3"),
            ("LUT_3D_SIZE 2\n0 0 0 0\n", "line 2: a color has 4 numbers instead of 3"),
            ("LUT_3D_SIZE 2\n0 0 0\n0 1,5 0\n", "line 3: '1,5' is not a number"),
            (
                "LUT_3D_SIZE 2\n1000000 -1000000 0\n0 1000000.1 0\n",
                "line 3: 1000000.1 is not in the range -1000000 to 1000000"
            ),
            ("LUT_3D_SIZE 2\nnan 0 0\n", "line 2: nan is not in the range -1000000 to 1000000"),
            ("LUT_3D_SIZE 2\n0 inf 0\n", "line 2: inf is not in the range -1000000 to 1000000"),
            ("LUT_3D_SIZE 2\n0 0 1e300\n", "line 2: 1e+300 is not in the range -1000000 to 1000000"),
            ("DOMAIN_MIN 0 0\n", "line 1: DOMAIN_MIN has 2 numbers instead of 3"),
            ("LUT_3D_SIZE 2\nDOMAIN_MIN 0 1 0\n" + eight, "line 3: DOMAIN_MAX must be above DOMAIN_MIN"),
            ("LUT_3D_SIZE 2\n0 0 0\nDOMAIN_MIN 0 1 0\n", "line 3: DOMAIN_MIN must precede the colors"),
            (String(repeating: "x", count: 5000), "line 1: the line is longer than 1000 bytes"),
        ]
        for (text, reason) in files {
            let error = #expect(throws: ObscuraError.self) { try cube(text) }
            #expect(error?.code == .damaged && error?.reason == reason && error?.subject == "grade.cube")
        }
    }

    @Test func `a huge table, or one that says that it is, is refused at once`() throws {
        for (text, limit) in [
            ("LUT_3D_SIZE 129\n", 128), ("LUT_3D_SIZE 9223372036854775807\n", 128), ("LUT_1D_SIZE 65537\n", 65536),
        ] {
            let error = #expect(throws: ObscuraError.self) { try cube(text) }
            #expect(error?.code == .tooLarge && error?.reason.contains("at most \(limit)") == true)
        }
        let error = #expect(throws: ObscuraError.self) { try CubeFile([UInt8](repeating: 10, count: 64 << 20)) }
        #expect(error?.code == .tooLarge)
    }

    @Test func `bytes of any kind are read or refused, and nothing else`() {
        var dice = Dice(seed: 3)
        let seed = Array("TITLE \"x\"\nLUT_3D_SIZE 2\nDOMAIN_MIN 0 0 0\nDOMAIN_MAX 1 1 1\n\(eight)".utf8)
        for _ in 0..<2000 {
            var bytes = seed
            for _ in 0..<Int.random(in: 1...8, using: &dice) {
                bytes[Int.random(in: 0..<bytes.count, using: &dice)] = UInt8.random(in: 0...255, using: &dice)
            }
            if Bool.random(using: &dice) { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &dice)) }
            do {
                let file = try CubeFile(bytes)
                #expect(file.colors.count == (file.dimension == .one ? file.size : file.size * file.size * file.size))
                _ = VideoEffect.lut(file)
            } catch {
                #expect(!error.reason.isEmpty)
            }
        }
    }

    @Test func `a file is read from disk, and one that is not there is named`() throws {
        let path = NSTemporaryDirectory() + "obscura-\(UUID().uuidString).cube"
        try "LUT_1D_SIZE 2\n1 1 1\n0 0 0\n".write(toFile: path, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let negative = try VideoEffect.lut(file: path)
        let picture = try PixelBuffer.noise(.bgra, 33, 9)
        #expect(
            try negative.renderer.render(picture, EffectContext()).packedBytes()
                == VideoEffect.invert.renderer.render(picture, EffectContext()).packedBytes())
        #expect(try negative == .lut(file: path))

        let error = #expect(throws: ObscuraError.self) { try VideoEffect.lut(file: "/nowhere/at-all.cube") }
        #expect(error?.code == .unreadable && error?.subject == "/nowhere/at-all.cube")
    }
}
