// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CPixelKernels
internal import CSPNG
internal import Glibc
internal import ObscuraMedia

/// One context of libspng that encodes one picture; frees it.
final class SPNGWriter {
    private let context: OpaquePointer

    init() throws(ImagingError) {
        guard let context = spng_ctx_new(Int32(SPNG_CTX_ENCODER.rawValue)) else {
            throw .codecFailed("PNG encoder", "there is no memory")
        }
        self.context = context
    }

    deinit {
        spng_ctx_free(context)
    }

    /// A PNG of rows without padding: one byte a pixel if `isGray`, else three.
    func encode(
        _ pixels: [UInt8], _ size: PixelSize, isGray: Bool, compressionLevel: Int, filter: PNGEncoder.Filter
    ) throws(ImagingError) -> [UInt8] {
        var header = spng_ihdr()
        header.width = UInt32(size.width)
        header.height = UInt32(size.height)
        header.bit_depth = 8
        header.color_type = UInt8((isGray ? SPNG_COLOR_TYPE_GRAYSCALE : SPNG_COLOR_TYPE_TRUECOLOR).rawValue)
        let choice = switch filter {
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

    private func check(_ status: Int32, _ size: PixelSize) throws(ImagingError) {
        guard status == 0 else { throw .codecFailed("PNG of \(size)", lastWords(status)) }
    }

    private func lastWords(_ status: Int32) -> String {
        guard let text = spng_strerror(status) else { return "error \(status)" }
        return String(cString: text)
    }
}

extension PixelBuffer {
    /// The pixels row after row without padding or alpha: three bytes each of an RGBA picture, one of gray8.
    func packRGB(into pixels: inout [UInt8]) {
        let isGray = format == .gray8
        let rowBytes = width * (isGray ? 1 : 3)
        let count = rowBytes * height
        if pixels.count != count { pixels = [UInt8](repeating: 0, count: count) }
        withPlanes { planes in
            pixels.withUnsafeMutableBufferPointer { buffer in
                guard let to = buffer.baseAddress else { return }
                let from = planes[0].base.assumingMemoryBound(to: UInt8.self)
                if isGray {
                    for row in 0..<height { memcpy(to + row * rowBytes, from + row * planes[0].bytesPerRow, rowBytes) }
                } else {
                    PKDropAlpha(from, planes[0].bytesPerRow, to, rowBytes, width, height)
                }
            }
        }
    }
}
