// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CTurboJPEG
internal import Glibc
internal import ObscuraMedia

/// A libjpeg-turbo compressor with its output memory; owns both. For one thread.
final class TurboJPEGCompressor {
    private let handle: tjhandle
    private var output: UnsafeMutablePointer<UInt8>?
    private var capacity: UInt = 0

    init() throws(ObscuraError) {
        guard let handle = tjInitCompress() else {
            throw .codecFailed("JPEG encoder", "it cannot be initialized (\(libraryMessage(of: nil)))")
        }
        self.handle = handle
    }

    deinit {
        tjFree(output)
        tjDestroy(handle)
    }

    /// Encodes a gray8, i420, i422, i444 or RGB picture.
    ///
    /// - Parameter size: the size of the JPEG. `picture` has the same size, rounded up to whole chroma blocks:
    ///   libjpeg-turbo reads the luma of whole blocks.
    func compress(_ picture: PixelBuffer, _ size: PixelSize, quality: Int) throws(ObscuraError) -> [UInt8] {
        let subsampling = subsampling(for: picture.format)
        let (width, height) = (Int32(size.width), Int32(size.height))
        try reserve(tjBufSize(width, height, subsampling))
        var byteCount = capacity
        let flags = TJFLAG_NOREALLOC | TJFLAG_ACCURATEDCT
        let status = picture.withPlanes { planes in
            if !picture.format.isYUV {
                let format =
                    switch picture.format {
                    case .bgra, .bgrx: TJPF_BGRX
                    case .argb, .xrgb: TJPF_XRGB
                    case .abgr, .xbgr: TJPF_XBGR
                    case .bgr24: TJPF_BGR
                    case .rgb24: TJPF_RGB
                    default: TJPF_RGBX
                    }
                return tjCompress2(
                    handle, planes[0].bytes, width, Int32(planes[0].bytesPerRow), height, Int32(format.rawValue),
                    &output, &byteCount, subsampling, Int32(quality), flags)
            }
            var bases = planes.map { Optional(UnsafePointer($0.bytes)) }
            let strides = planes.map { Int32($0.bytesPerRow) }
            return tjCompressFromYUVPlanes(
                handle, &bases, width, strides, height, subsampling, &output, &byteCount, Int32(quality), flags)
        }
        guard status == 0, let output else {
            throw .codecFailed("JPEG of \(size)", libraryMessage(of: handle))
        }
        return Array(UnsafeBufferPointer(start: output, count: Int(byteCount)))
    }

    private func subsampling(for format: PixelFormat) -> Int32 {
        let value =
            switch format {
            case .gray8: TJSAMP_GRAY
            case .i422: TJSAMP_422
            case .i444: TJSAMP_444
            default: TJSAMP_420
            }
        return Int32(value.rawValue)
    }

    private func reserve(_ size: UInt) throws(ObscuraError) {
        guard size > capacity else { return }
        tjFree(output)
        capacity = 0
        output = size <= UInt(Int32.max) ? tjAlloc(Int32(size)) : nil
        guard output != nil else { throw .codecFailed("JPEG encoder", "no memory is left for \(size) bytes") }
        capacity = size
    }
}

/// A libjpeg-turbo decompressor; owns it. For one thread.
final class TurboJPEGDecompressor {
    /// The header of a JPEG.
    struct Header {
        let size: PixelSize
        /// The planar format of its samples; bgra if there is none.
        let format: PixelFormat
    }

    private let handle: tjhandle

    init() throws(ObscuraError) {
        guard let handle = tjInitDecompress() else {
            throw .codecFailed("JPEG decoder", "it cannot be initialized (\(libraryMessage(of: nil)))")
        }
        self.handle = handle
    }

    deinit {
        tjDestroy(handle)
    }

    func header(of bytes: RawSpan) throws(ObscuraError) -> Header {
        var (width, height, subsampling, space): (Int32, Int32, Int32, Int32) = (0, 0, -1, -1)
        let status = bytes.withUnsafeBytes { data in
            tjDecompressHeader3(
                handle, data.bytes, UInt(data.count), &width, &height, &subsampling, &space)
        }
        guard status == 0, width > 0, height > 0 else { throw .damaged("JPEG", libraryMessage(of: handle)) }
        let size = PixelSize(width: Int(width), height: Int(height))
        let isYCbCr = space == Int32(TJCS_YCbCr.rawValue) || space == Int32(TJCS_GRAY.rawValue)
        let format: PixelFormat =
            switch (isYCbCr, subsampling) {
            case (true, Int32(TJSAMP_GRAY.rawValue)): .gray8
            case (true, Int32(TJSAMP_420.rawValue)): .i420
            case (true, Int32(TJSAMP_422.rawValue)): .i422
            case (true, Int32(TJSAMP_444.rawValue)): .i444
            default: .bgra
            }
        return Header(size: size, format: format)
    }

    /// Decodes into `picture`, which has the format of the header, and `size` rounded up to whole chroma blocks.
    ///
    /// - Parameter size: the header's size, or that divided by 2, 4 or 8 and rounded up.
    func decode(_ bytes: RawSpan, _ header: Header, at size: PixelSize, into picture: inout PixelBuffer) throws {
        let (width, height) = (Int32(size.width), Int32(size.height))
        let flags = TJFLAG_ACCURATEDCT | TJFLAG_LIMITSCANS
        let status = try picture.withMutablePlanes { planes in
            bytes.withUnsafeBytes { data in
                if !header.format.isYUV {
                    return tjDecompress2(
                        handle, data.bytes, UInt(data.count), planes[0].bytes, width, Int32(planes[0].bytesPerRow),
                        height, Int32(TJPF_BGRA.rawValue), flags)
                }
                var bases = planes.map { Optional($0.bytes) }
                var strides = planes.map { Int32($0.bytesPerRow) }
                return tjDecompressToYUVPlanes(
                    handle, data.bytes, UInt(data.count), &bases, width, &strides, height, flags)
            }
        }
        guard status != 0 else { return }
        let words = libraryMessage(of: handle)
        // Some cameras pad the file before the end marker. The library keeps its first warning: if it is this one, all
        // samples had been read. Other bytes at the end mean that some samples came from damaged data.
        let isHarmless =
            tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue)
            && words.contains("extraneous bytes before marker 0xd9")
            && JPEGSegments.isFilled(bytes, with: words.split(separator: " ").lazy.compactMap { Int($0) }.first ?? 0)
        if !isHarmless { throw ObscuraError.damaged("JPEG of \(header.size)", words) }
    }
}

/// Returns the library's error message, as the end of a sentence.
private func libraryMessage(of handle: tjhandle?) -> String {
    guard let text = tjGetErrorStr2(handle) else { return "no message" }
    return String(cString: text)
}

extension UnsafeRawBufferPointer {
    fileprivate var bytes: UnsafePointer<UInt8>? { baseAddress?.assumingMemoryBound(to: UInt8.self) }
}

extension PixelBuffer {
    /// Returns the size rounded up to whole chroma blocks.
    static func blockSize(of size: PixelSize, _ format: PixelFormat) -> PixelSize {
        let (columns, rows) = format.chromaSubsampling
        return PixelSize(
            width: (size.width + columns - 1) / columns * columns, height: (size.height + rows - 1) / rows * rows)
    }

    /// Returns this picture in the upper left of `padded`, a new picture of its block size: the last column and row are
    /// repeated, and chroma is borrowed.
    func padding(_ padded: inout PixelBuffer) throws -> PixelBuffer {
        let (width, height, rows) = (width, height, padded.height)
        let columns = padded.width
        try padded.withMutablePlanes { targets in
            withPlanes { sources in
                for row in 0..<rows {
                    let to = targets[0].bytes + row * targets[0].bytesPerRow
                    memcpy(to, sources[0].bytes + min(row, height - 1) * sources[0].bytesPerRow, width)
                    if columns > width { to[width] = to[width - 1] }
                }
            }
        }
        return padded.borrowingChroma(of: self)
    }
}
