// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFreeType
internal import ObscuraMedia

/// A font face at one size in FreeType; owns it and its library instance.
///
/// For one thread at a time.
final class FontFace {
    private let library: FT_Library
    private let face: FT_Face

    /// The extents of a line above and below its baseline, in pixels.
    let ascent: Int
    let descent: Int
    /// The distance between baselines, in pixels.
    let lineHeight: Int

    /// - Parameters:
    ///   - path: the path of the font's file.
    ///   - index: the index of the font in the file.
    ///   - pixels: the font size in pixels.
    init(path: String, index: Int = 0, pixels: Int) throws(ObscuraError) {
        var library: FT_Library?
        guard FT_Init_FreeType(&library) == 0, let library else {
            throw .codecFailed("font \(path)", "FreeType cannot be initialized")
        }
        var face: FT_Face?
        let status = FT_New_Face(library, path, index, &face)
        guard status == 0, let face else {
            FT_Done_FreeType(library)
            throw ObscuraError(
                .imaging, .noFont, subject: path,
                reason: status == FT_Error(FT_Err_Cannot_Open_Resource)
                    ? "it cannot be opened" : "it is not a font that FreeType can read",
                advice: "Give a font file, such as one in /usr/share/fonts.")
        }
        guard FT_Set_Pixel_Sizes(face, 0, FT_UInt(pixels)) == 0, let size = face.pointee.size else {
            FT_Done_Face(face)
            FT_Done_FreeType(library)
            throw ObscuraError(
                .imaging, .noFont, subject: path, reason: "it has no glyphs with a size of \(pixels) pixels",
                advice: "Give a scalable font.")
        }
        (self.library, self.face) = (library, face)
        // In 1/64 pixel.
        let metrics = size.pointee.metrics
        // Limited, since the values of a damaged font are arbitrary.
        ascent = min(max(0, (metrics.ascender + 63) / 64), 4 * pixels)
        descent = min(max(0, (-metrics.descender + 63) / 64), 4 * pixels)
        lineHeight = min(max(1, ascent + descent, (metrics.height + 63) / 64), 8 * pixels)
    }

    deinit {
        FT_Done_Face(face)
        FT_Done_FreeType(library)
    }

    /// Calls `draw` for each glyph of a line, from left to right, with its coverage in rows of bytes from 0 to 255, and
    /// its position relative to the start of the baseline.
    ///
    /// - Returns: the width of the line.
    func layOut(_ line: String, draw: (_ x: Int, _ y: Int, _ width: Int, _ rows: [UInt8]) -> Void) -> Int {
        // In 1/64 pixel.
        var pen = 0
        var right = 0
        var last: FT_UInt = 0
        for scalar in line.unicodeScalars {
            let glyph = FT_Get_Char_Index(face, FT_ULong(scalar.value))
            var kerning = FT_Vector()
            if last != 0, FT_Get_Kerning(face, last, glyph, FT_UInt(FT_KERNING_DEFAULT.rawValue), &kerning) == 0 {
                pen += kerning.x
            }
            last = glyph
            guard FT_Load_Glyph(face, glyph, FT_Int32(FT_LOAD_RENDER)) == 0, let slot = face.pointee.glyph else {
                continue
            }
            let bitmap = slot.pointee.bitmap
            let (width, height) = (Int(bitmap.width), Int(bitmap.rows))
            let x = pen / 64 + Int(slot.pointee.bitmap_left)
            if width > 0, height > 0, let buffer = bitmap.buffer, bitmap.pixel_mode == FT_PIXEL_MODE_GRAY.rawValue {
                let pitch = Int(bitmap.pitch)
                let rows = (0..<height).flatMap { row in
                    Array(UnsafeBufferPointer(start: buffer + row * pitch, count: width))
                }
                draw(x, -Int(slot.pointee.bitmap_top), width, rows)
                right = max(right, x + width)
            }
            pen += slot.pointee.advance.x
        }
        return max(right, (pen + 63) / 64)
    }
}
