// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// A color as BT.601 limited-range codes.
struct PatternColor: Sendable {
    let y: UInt8
    let cb: UInt8
    let cr: UInt8

    static let white = PatternColor(y: 235, cb: 128, cr: 128)
    static let black = PatternColor(y: 16, cb: 128, cr: 128)
    static let orange = PatternColor(y: 150, cb: 50, cr: 190)

    /// Bars of 75 %: white, yellow, cyan, green, magenta, red, blue (codes by BT.601).
    static let bars = [
        PatternColor(y: 180, cb: 128, cr: 128), PatternColor(y: 162, cb: 44, cr: 142),
        PatternColor(y: 131, cb: 156, cr: 44), PatternColor(y: 112, cb: 72, cr: 58),
        PatternColor(y: 84, cb: 184, cr: 198), PatternColor(y: 65, cb: 100, cr: 212),
        PatternColor(y: 35, cb: 212, cr: 114),
    ]
}

extension PixelBuffer {
    /// Fills a part of an I420 frame, clipped to the frame. Edges of color are at even pixels.
    mutating func fill(_ rect: PixelRect, _ color: PatternColor) throws {
        guard let part = rect.clipped(to: size) else { return }
        let (right, bottom) = (part.x + part.width, part.y + part.height)
        try fill(plane: 0, part.x..<right, part.y..<bottom, color.y)
        let columns = part.x / 2..<(right + 1) / 2
        let rows = part.y / 2..<(bottom + 1) / 2
        try fill(plane: 1, columns, rows, color.cb)
        try fill(plane: 2, columns, rows, color.cr)
    }

    private mutating func fill(
        plane: Int, _ columns: Range<Int>, _ rows: Range<Int>, _ value: UInt8
    ) throws {
        let bytesPerRow = bytesPerRow(ofPlane: plane)
        try withMutableBytes(ofPlane: plane) { bytes in
            for row in rows {
                for column in columns {
                    bytes.storeBytes(of: value, toByteOffset: row * bytesPerRow + column, as: UInt8.self)
                }
            }
        }
    }

    /// Draws a line of digits in white on black.
    mutating func write(_ line: [PatternText.Glyph], x: Int, y: Int, scale: Int) throws {
        let advance = (PatternText.width + 1) * scale
        let plate = PixelRect(
            x: x - scale, y: y - scale, width: line.count * advance + scale,
            height: (PatternText.height + 2) * scale)
        try fill(plate, .black)
        for (index, glyph) in line.enumerated() {
            for (row, bits) in glyph.rows.enumerated() {
                for column in 0..<PatternText.width where bits >> (PatternText.width - 1 - column) & 1 == 1 {
                    let dot = PixelRect(
                        x: x + index * advance + column * scale, y: y + row * scale, width: scale, height: scale)
                    try fill(dot, .white)
                }
            }
        }
    }
}

/// Digits of 3x5 dots, readable at any scale.
enum PatternText {
    struct Glyph: Sendable {
        let rows: [UInt8]
    }

    static let width = 3
    static let height = 5

    /// Returns the number with at least six digits.
    static func number(_ value: UInt64) -> [Glyph] {
        let digits = Array("\(value)".utf8).map { Int($0) - 48 }
        let zeros = [Int](repeating: 0, count: max(0, 6 - digits.count))
        return (zeros + digits).map { self.digits[$0] }
    }

    /// Returns minutes, seconds and milliseconds: `MM:SS.mmm`.
    static func clock(_ time: MediaTime) -> [Glyph] {
        let milliseconds = max(0, time.converted(toTimescale: 1000).value)
        let (minutes, seconds) = (milliseconds / 60_000 % 100, milliseconds / 1000 % 60)
        let two = { (value: Int64) in [digits[Int(value / 10)], digits[Int(value % 10)]] }
        let rest = milliseconds % 1000
        return two(minutes) + [colon] + two(seconds) + [point] + [digits[Int(rest / 100)]] + two(rest % 100)
    }

    private static let digits: [Glyph] = [
        [0b111, 0b101, 0b101, 0b101, 0b111], [0b010, 0b110, 0b010, 0b010, 0b111],
        [0b111, 0b001, 0b111, 0b100, 0b111], [0b111, 0b001, 0b111, 0b001, 0b111],
        [0b101, 0b101, 0b111, 0b001, 0b001], [0b111, 0b100, 0b111, 0b001, 0b111],
        [0b111, 0b100, 0b111, 0b101, 0b111], [0b111, 0b001, 0b010, 0b010, 0b010],
        [0b111, 0b101, 0b111, 0b101, 0b111], [0b111, 0b101, 0b111, 0b001, 0b111],
    ].map(Glyph.init(rows:))
    private static let colon = Glyph(rows: [0b000, 0b010, 0b000, 0b010, 0b000])
    private static let point = Glyph(rows: [0b000, 0b000, 0b000, 0b000, 0b010])
}
