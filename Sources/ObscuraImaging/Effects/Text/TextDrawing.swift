// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// The coverage of a box of pixels by the glyphs of a text.
struct TextDrawing {
    private let width: Int
    private let height: Int
    private var coverage: [UInt8]

    /// Returns nil for an empty drawing.
    init?(_ text: String, _ face: FontFace, pixels: Int, _ picture: PixelSize) {
        // A carriage return and a line feed are one character, which is not equal to a line feed.
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { line in
            // Control characters have no glyphs.
            String(
                String.UnicodeScalarView(
                    line.unicodeScalars.flatMap { $0 == "\t" ? [" ", " "] : [$0] }
                        .filter { $0.value >= 32 && $0.value != 127 }))
        }
        let margin = (pixels + 3) / 4
        let widest = lines.map { face.layOut($0) { _, _, _, _ in } }.max() ?? 0
        guard widest > 0 else { return nil }
        let top = margin + face.ascent
        width = min(widest + 2 * margin, 2 * picture.width)
        height = min((lines.count - 1) * face.lineHeight + face.ascent + face.descent + 2 * margin, 2 * picture.height)
        coverage = [UInt8](repeating: 0, count: width * height)
        for (index, line) in lines.enumerated() {
            let base = top + index * face.lineHeight
            guard base - face.ascent < height else { break }
            _ = face.layOut(line) { draw($3, width: $2, x: margin + $0, y: base + $1) }
        }
    }

    /// Adds a glyph; where glyphs overlap, the larger coverage is used.
    private mutating func draw(_ rows: [UInt8], width glyphWidth: Int, x: Int, y: Int) {
        for (row, begin) in stride(from: 0, to: rows.count, by: glyphWidth).enumerated() {
            guard (0..<height).contains(y + row) else { continue }
            for column in 0..<glyphWidth where (0..<width).contains(x + column) {
                let place = (y + row) * width + x + column
                coverage[place] = max(coverage[place], rows[begin + column])
            }
        }
    }

    /// Returns the text in its colors, over its background.
    func layer(_ style: TextStyle) throws -> PixelBuffer {
        // The color of a pixel depends only on its coverage.
        let colors = (0...255).map { Self.mix(style.color, coverage: $0, over: style.background) }
        var layer = try PixelBuffer(format: .bgra, width: width, height: height)
        let stride = layer.bytesPerRow(ofPlane: 0)
        try layer.withMutableBytes(ofPlane: 0) { bytes in
            for y in 0..<height {
                for x in 0..<width {
                    bytes.storeBytes(
                        of: colors[Int(coverage[y * width + x])], toByteOffset: y * stride + 4 * x, as: UInt32.self)
                }
            }
        }
        return layer
    }

    /// Returns a pixel with straight alpha, its bytes from the lowest: the color with the coverage as alpha, over the
    /// background (T. Porter and T. Duff, "Compositing Digital Images", 1984: "over").
    private static func mix(_ color: BGRAPixel, coverage: Int, over background: BGRAPixel?) -> UInt32 {
        let below = background ?? BGRAPixel(red: color.red, green: color.green, blue: color.blue, alpha: 0)
        let weight = Double(coverage) / 255 * Double(color.alpha) / 255
        let rest = (1 - weight) * Double(below.alpha) / 255
        let alpha = weight + rest
        guard alpha > 0 else { return 0 }
        func channel(_ above: UInt8, _ under: UInt8) -> UInt32 {
            UInt32(((Double(above) * weight + Double(under) * rest) / alpha).rounded())
        }
        return channel(color.blue, below.blue) | channel(color.green, below.green) << 8
            | channel(color.red, below.red) << 16 | UInt32((alpha * 255).rounded()) << 24
    }
}
