// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CSPNG
internal import Glibc
internal import ObscuraMedia

/// The neighbors from which a row is predicted before compression.
package enum PNGFilter: CaseIterable {
    case none, sub, up
}

/// A libspng context that encodes one picture; owns it.
final class SPNGWriter {
    private let context: OpaquePointer
    /// The memory that the context refers to.
    private var kept: [UnsafeMutablePointer<CChar>] = []

    init() throws(ObscuraError) {
        guard let context = spng_ctx_new(Int32(SPNG_CTX_ENCODER.rawValue)) else {
            throw .codecFailed("PNG encoder", "no memory is left")
        }
        self.context = context
    }

    deinit {
        spng_ctx_free(context)
        kept.forEach { $0.deallocate() }
    }

    /// Encodes rows without padding as PNG: one byte per pixel if `isGray`, else three.
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
            throw .codecFailed("PNG of \(size)", libraryMessage(status))
        }
        defer { free(buffer) }
        return Array(UnsafeRawBufferPointer(start: buffer, count: length))
    }

    /// Sets EXIF, as an `eXIf` chunk.
    func setExif(_ block: [UInt8]) throws(ObscuraError) {
        var exif = spng_exif(length: block.count, data: keep(block))
        let status = spng_set_exif(context, &exif)
        guard status == 0 else { throw .codecFailed("EXIF of a PNG", libraryMessage(status)) }
    }

    /// Sets all texts, as uncompressed chunks. Call it once: another call replaces the texts.
    func setTexts(_ texts: [PNGText]) throws(ObscuraError) {
        guard !texts.isEmpty else { return }
        var chunks = texts.map { text in
            var chunk = spng_text()
            withUnsafeMutableBytes(of: &chunk.keyword) { $0.copyBytes(from: text.keyword.utf8.prefix(79)) }
            chunk.type = Int32((text.isInternational ? SPNG_ITXT : SPNG_TEXT).rawValue)
            chunk.text = keep(text.bytes)
            chunk.length = text.bytes.count
            // Without language and translated keyword.
            chunk.language_tag = keep([])
            chunk.translated_keyword = keep([])
            return chunk
        }
        let status = spng_set_text(context, &chunks, UInt32(chunks.count))
        guard status == 0 else { throw .codecFailed("text of a PNG", libraryMessage(status)) }
    }

    /// Returns a zero-terminated copy with the lifetime of this object: the library keeps addresses until it encodes.
    private func keep(_ bytes: [UInt8]) -> UnsafeMutablePointer<CChar> {
        let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count + 1)
        for (offset, byte) in bytes.enumerated() { copy[offset] = CChar(bitPattern: byte) }
        copy[bytes.count] = 0
        kept.append(copy)
        return copy
    }

    private func check(_ status: Int32, _ size: PixelSize) throws(ObscuraError) {
        guard status == 0 else { throw .codecFailed("PNG of \(size)", libraryMessage(status)) }
    }
}

/// A libspng context that decodes one file, whose bytes must outlive it; owns it.
final class SPNGReader {
    private let context: OpaquePointer

    /// Runs `body` with a reader of `bytes`, which is valid only during the call.
    static func read<R>(_ bytes: [UInt8], _ body: (SPNGReader) throws -> R) throws -> R {
        try bytes.withUnsafeBytes { try body(SPNGReader($0)) }
    }

    private init(_ bytes: UnsafeRawBufferPointer) throws(ObscuraError) {
        guard let context = spng_ctx_new(0) else { throw .codecFailed("PNG decoder", "no memory is left") }
        self.context = context
        // Enough for a picture; larger texts and profiles are damaged or malicious.
        spng_set_chunk_limits(context, 64 << 20, 64 << 20)
        let status = spng_set_png_buffer(context, bytes.baseAddress, bytes.count)
        guard status == 0 else { throw .damaged("PNG", libraryMessage(status)) }
    }

    deinit {
        spng_ctx_free(context)
    }

    func size() throws(ObscuraError) -> PixelSize {
        var header = spng_ihdr()
        let status = spng_get_ihdr(context, &header)
        guard status == 0 else { throw .damaged("PNG", libraryMessage(status)) }
        return PixelSize(width: Int(header.width), height: Int(header.height))
    }

    /// Decodes into an RGBA picture of the file's size.
    func decode(into picture: inout PixelBuffer) throws {
        let (size, rowBytes) = (picture.size, picture.width * 4)
        let begun = spng_decode_image(
            context, nil, 0, Int32(SPNG_FMT_RGBA8.rawValue),
            Int32(SPNG_DECODE_TRNS.rawValue | SPNG_DECODE_PROGRESSIVE.rawValue))
        guard begun == 0 else { throw ObscuraError.damaged("PNG of \(size)", libraryMessage(begun)) }
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
            throw ObscuraError.damaged("PNG of \(size)", libraryMessage(status))
        }
        // Reads up to the end mark: a file without it was truncated.
        let ended = spng_decode_chunks(context)
        guard ended == 0 else { throw ObscuraError.damaged("PNG of \(size)", libraryMessage(ended)) }
    }
}

/// Returns the library's error message, as the end of a sentence.
private func libraryMessage(_ status: Int32) -> String {
    guard let text = spng_strerror(status) else { return "error \(status)" }
    return String(cString: text)
}
