// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CSPNG
internal import Glibc
internal import ObscuraMedia

/// The neighbors from which a row is predicted before it is compressed.
package enum PNGFilter: CaseIterable {
    case none, sub, up
}

/// One context of libspng that encodes one picture; frees it.
final class SPNGWriter {
    private let context: OpaquePointer
    /// What the context refers to.
    private var kept: [UnsafeMutablePointer<CChar>] = []

    init() throws(ObscuraError) {
        guard let context = spng_ctx_new(Int32(SPNG_CTX_ENCODER.rawValue)) else {
            throw .codecFailed("PNG encoder", "there is no memory")
        }
        self.context = context
    }

    deinit {
        spng_ctx_free(context)
        kept.forEach { $0.deallocate() }
    }

    /// A PNG of rows without padding: one byte a pixel if `isGray`, else three.
    func encode(
        _ pixels: [UInt8], _ size: PixelSize, isGray: Bool, compressionLevel: Int, filter: PNGFilter
    ) throws(ObscuraError) -> [UInt8] {
        var header = spng_ihdr()
        header.width = UInt32(size.width)
        header.height = UInt32(size.height)
        header.bit_depth = 8
        header.color_type = UInt8((isGray ? SPNG_COLOR_TYPE_GRAYSCALE : SPNG_COLOR_TYPE_TRUECOLOR).rawValue)
        let choice =
            switch filter {
            case .none: SPNG_FILTER_CHOICE_NONE
            case .sub: SPNG_FILTER_CHOICE_SUB
            case .up: SPNG_FILTER_CHOICE_UP
            }
        try check(spng_set_option(context, SPNG_ENCODE_TO_BUFFER, 1), size)
        try check(spng_set_ihdr(context, &header), size)
        try check(spng_set_option(context, SPNG_IMG_COMPRESSION_LEVEL, Int32(compressionLevel)), size)
        try check(spng_set_option(context, SPNG_FILTER_CHOICE, Int32(choice.rawValue)), size)
        let byteCount = size.width * size.height * (isGray ? 1 : 3)
        try check(
            spng_encode_image(
                context, pixels, byteCount, Int32(SPNG_FMT_PNG.rawValue), Int32(SPNG_ENCODE_FINALIZE.rawValue)),
            size)
        var length = 0
        var status: Int32 = 0
        guard let buffer = spng_get_png_buffer(context, &length, &status) else {
            throw .codecFailed("PNG of \(size)", lastWords(status))
        }
        defer { free(buffer) }
        return Array(UnsafeRawBufferPointer(start: buffer, count: length))
    }

    /// What the picture says of itself, as an `eXIf` chunk.
    func setExif(_ block: [UInt8]) throws(ObscuraError) {
        var exif = spng_exif(length: block.count, data: keep(block))
        let status = spng_set_exif(context, &exif)
        guard status == 0 else { throw .codecFailed("EXIF of a PNG", lastWords(status)) }
    }

    /// A text in UTF-8, as an `iTXt` chunk that is not compressed.
    ///
    /// - Parameter keyword: of at most 79 bytes.
    func setText(_ text: [UInt8], keyword: String) throws(ObscuraError) {
        var chunk = spng_text()
        withUnsafeMutableBytes(of: &chunk.keyword) { $0.copyBytes(from: keyword.utf8.prefix(79)) }
        chunk.type = Int32(SPNG_ITXT.rawValue)
        chunk.text = keep(text)
        chunk.length = text.count
        // No language, and no keyword in it.
        chunk.language_tag = keep([])
        chunk.translated_keyword = keep([])
        let status = spng_set_text(context, &chunk, 1)
        guard status == 0 else { throw .codecFailed("text of a PNG", lastWords(status)) }
    }

    /// A copy with a zero behind it, as long as this lives: the library keeps addresses until it encodes.
    private func keep(_ bytes: [UInt8]) -> UnsafeMutablePointer<CChar> {
        let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count + 1)
        for (offset, byte) in bytes.enumerated() { copy[offset] = CChar(bitPattern: byte) }
        copy[bytes.count] = 0
        kept.append(copy)
        return copy
    }

    private func check(_ status: Int32, _ size: PixelSize) throws(ObscuraError) {
        guard status == 0 else { throw .codecFailed("PNG of \(size)", lastWords(status)) }
    }
}

/// One context of libspng that decodes one file, whose bytes must outlive it; frees it.
final class SPNGReader {
    private let context: OpaquePointer

    /// Runs `body` with a reader of `bytes`, which is valid only for the duration of the closure.
    static func read<R>(_ bytes: [UInt8], _ body: (SPNGReader) throws -> R) throws -> R {
        try bytes.withUnsafeBytes { try body(SPNGReader($0)) }
    }

    private init(_ bytes: UnsafeRawBufferPointer) throws(ObscuraError) {
        guard let context = spng_ctx_new(0) else { throw .codecFailed("PNG decoder", "there is no memory") }
        self.context = context
        // What a picture needs; texts and profiles beyond that are damage or malice.
        spng_set_chunk_limits(context, 64 << 20, 64 << 20)
        let status = spng_set_png_buffer(context, bytes.baseAddress, bytes.count)
        guard status == 0 else { throw .damaged("PNG", lastWords(status)) }
    }

    deinit {
        spng_ctx_free(context)
    }

    func size() throws(ObscuraError) -> PixelSize {
        var header = spng_ihdr()
        let status = spng_get_ihdr(context, &header)
        guard status == 0 else { throw .damaged("PNG", lastWords(status)) }
        return PixelSize(width: Int(header.width), height: Int(header.height))
    }

    /// Decodes into an RGBA picture of the file's size.
    func decode(into picture: inout PixelBuffer) throws {
        let (size, rowBytes) = (picture.size, picture.width * 4)
        let begun = spng_decode_image(
            context, nil, 0, Int32(SPNG_FMT_RGBA8.rawValue),
            Int32(SPNG_DECODE_TRNS.rawValue | SPNG_DECODE_PROGRESSIVE.rawValue))
        guard begun == 0 else { throw ObscuraError.damaged("PNG of \(size)", lastWords(begun)) }
        let status = try picture.withMutablePlanes { planes in
            var row = spng_row_info()
            var status: Int32 = 0
            while status == 0 {
                status = spng_get_row_info(context, &row)
                guard status == 0 else { break }
                status = spng_decode_row(
                    context, planes[0].base + Int(row.row_num) * planes[0].bytesPerRow, rowBytes)
            }
            return status
        }
        guard status == Int32(SPNG_EOI.rawValue) else {
            throw ObscuraError.damaged("PNG of \(size)", lastWords(status))
        }
        // The rest up to the end mark: a file that lacks it was cut.
        let ended = spng_decode_chunks(context)
        guard ended == 0 else { throw ObscuraError.damaged("PNG of \(size)", lastWords(ended)) }
    }
}

/// The library's own last words, as the end of a sentence.
private func lastWords(_ status: Int32) -> String {
    guard let text = spng_strerror(status) else { return "error \(status)" }
    return String(cString: text)
}
