// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// The steps of a conversion, as a pure value.
///
/// Geometry precedes color, because scaled planes are usually smaller. But if shared chroma would have to be split (a
/// crop at an odd position, mirroring of an odd width, a transposition of 4:2:2), each pixel first gets its own chroma:
/// as the requested RGB, or as 4:4:4.
struct ImagePlan: Hashable {
    enum Step: Hashable {
        /// Selects a part of the picture, without copying.
        case crop(PixelRect)
        /// Selects the luma plane, without copying.
        case luma
        /// Separates interleaved samples into planes.
        case planar(PixelFormat)
        /// Interleaves chroma planes.
        case interleave
        /// Scales the luma and chroma planes to the plane sizes of the format.
        case scale(PixelSize, PixelFormat)
        case orient(OrientationTransform)
        /// Changes the chroma subsampling.
        case resample(PixelFormat, ImageRequest.ChromaUpsampling)
        /// Converts the samples to another color space, with 8 bits per sample.
        case recolor(ColorSpace, PixelFormat)
        /// Converts 10 bits per sample to 8 bits.
        case narrow(PixelFormat)
        case toRGB(PixelFormat, ImageRequest.ChromaUpsampling)
        case fromRGB(PixelFormat, ColorSpace)
        /// Converts BGRA to RGBA, or back.
        case swapRedAndBlue(PixelFormat)
        /// Converts another order of four bytes per pixel, or one without alpha, to BGRA or RGBA.
        case reorder(PixelFormat)
        /// Converts three bytes per pixel to four.
        case addAlpha(PixelFormat)
        /// Converts four bytes per pixel to three.
        case dropAlpha(PixelFormat)
        /// Converts RGB of limited range to full range.
        case expandRange
        case copy

        /// Whether the result uses the source's memory.
        var isView: Bool {
            switch self {
            case .crop, .luma: true
            default: false
            }
        }
    }

    private(set) var steps: [Step] = []
    /// The properties after the steps so far, finally those of the result.
    private(set) var format: PixelFormat
    private(set) var size: PixelSize
    private(set) var colorSpace: ColorSpace

    private let target: PixelFormat
    private let targetSpace: ColorSpace
    private let chroma: ImageRequest.ChromaUpsampling

    /// Whether the picture can be returned unchanged.
    var isIdentity: Bool { steps.isEmpty }

    /// - Throws: ``ObscuraError/Code/invalidRequest``, ``ObscuraError/Code/unsupportedFormat``.
    init(
        _ request: ImageRequest, format: PixelFormat, size: PixelSize, colorSpace: ColorSpace
    ) throws(ObscuraError) {
        guard !format.isCompressed else { throw .compressed(format) }
        let framing = try Framing(request, format: format, size: size)
        let recolors = format.isYUV && !(request.colorSpace ?? colorSpace).hasSameCodes(as: colorSpace)
        target = try Self.target(of: request, format: format, size: size, framing: framing, recolors: recolors)
        targetSpace = Self.space(of: request, source: colorSpace, format: format, target: target)
        chroma = request.chroma
        self.format = format
        self.size = size
        self.colorSpace = colorSpace
        // RGB is full range everywhere else: in displays, encoders and all formulas here.
        if !format.isYUV, colorSpace.range == .limited { append(.expandRange, format) }
        takeLumaEarly()
        crop(to: framing.region, isScaled: framing.isScaled)
        scale(to: framing.uprightSize)
        orient(framing.transform)
        convert()
        if steps.last?.isView == true { steps.append(.copy) }
        self.colorSpace = targetSpace
    }

    // MARK: Result

    private static func target(
        of request: ImageRequest, format: PixelFormat, size: PixelSize, framing: Framing, recolors: Bool
    ) throws(ObscuraError) -> PixelFormat {
        let (columns, rows) = format.chromaSubsampling
        let isCropOnly =
            !framing.isScaled && framing.transform.isIdentity
            && framing.region.x % columns == 0 && framing.region.y % rows == 0
        var kept = format
        if format.isReadOnly && (!isCropOnly || recolors) { kept = format.isYUV ? format.planar : .bgra }
        if framing.transform.isTransposed { kept = kept.turnable }
        if recolors { kept = kept.eightBit }
        guard let asked = request.pixelFormat else { return kept }
        switch asked {
        case .bgra, .rgba, .bgr24, .rgb24, .nv12, .i420, .i422, .i444, .gray8:
            return asked
        case .yuyv, .uyvy, .yvyu, .vyuy, .nv21, .nv16, .argb, .abgr, .bgrx, .rgbx, .xrgb, .xbgr:
            guard asked == format, kept == format else { throw .unsupportedFormat(asked, from: format) }
            return asked
        case .i010, .i210, .i410:
            guard format.bitDepth == 10, !recolors else { throw .unsupportedFormat(asked, from: format) }
            return asked
        case .mjpeg, .h264, .hevc, .ffv1:
            throw .unsupportedFormat(asked, from: format)
        }
    }

    private static func space(
        of request: ImageRequest, source: ColorSpace, format: PixelFormat, target: PixelFormat
    ) -> ColorSpace {
        switch (format.isYUV, target.isYUV) {
        case (true, true): return request.colorSpace ?? source
        case (false, true): return request.colorSpace ?? .bt601
        case (false, false):
            var space = source
            space.range = .full
            return space
        case (true, false):
            // Decoding the matrix changes neither primaries nor transfer function.
            var space = ColorSpace.sRGB
            space.primaries = source.primaries
            space.transfer = source.transfer
            space.isAssumed = source.isAssumed
            return space
        }
    }

    // MARK: Steps

    private mutating func takeLumaEarly() {
        guard target == .gray8, format.isYUV, format != .gray8, format.bitDepth == 8, !format.isPacked,
            targetSpace.matrix == colorSpace.matrix
        else { return }
        append(.luma, .gray8)
    }

    private mutating func crop(to region: PixelRect, isScaled: Bool) {
        let (columns, rows) = format.chromaSubsampling
        let (dx, dy) = (region.x % columns, region.y % rows)
        let outer = PixelRect(
            x: region.x - dx, y: region.y - dy, width: region.width + dx, height: region.height + dy)
        cropView(to: outer)
        guard dx > 0 || dy > 0 else { return }
        splitChroma(isLast: !isScaled)
        cropView(to: PixelRect(x: dx, y: dy, width: region.width, height: region.height))
    }

    private mutating func cropView(to rect: PixelRect) {
        guard rect.x != 0 || rect.y != 0 || rect.width != size.width || rect.height != size.height else { return }
        append(.crop(rect), format)
        size = PixelSize(width: rect.width, height: rect.height)
    }

    private mutating func scale(to newSize: PixelSize) {
        guard newSize != size else { return }
        unpack()
        // Scaling plane by plane keeps chroma aligned only if no block is clipped at the edge.
        if !size.isMultiple(of: format.chromaSubsampling) { resample(to: format.full) }
        if format.isYUV { reduce(toward: newSize) }
        let scaled = newSize.isMultiple(of: format.chromaSubsampling) ? format : format.full
        append(.scale(newSize, scaled), scaled)
        size = newSize
    }

    /// Reduces planes to an eighth, again and again, until at most a factor of 16 is left.
    ///
    /// libyuv weights each sample of a block by a multiple of 1/65536, rounded down: the mean of a large block is too
    /// dark. The sums of more than 257 rows overflow.
    private mutating func reduce(toward newSize: PixelSize) {
        // Even, so that no block of chroma is clipped.
        func reduced(_ side: Int, _ newSide: Int) -> Int { side > 16 * newSide ? (side + 15) / 16 * 2 : side }
        while true {
            let next = PixelSize(
                width: reduced(size.width, newSize.width), height: reduced(size.height, newSize.height))
            guard next != size else { return }
            append(.scale(next, format), format)
            size = next
        }
    }

    private mutating func orient(_ transform: OrientationTransform) {
        guard !transform.isIdentity else { return }
        if !transform.keepsChroma(of: format, size: size) { splitChroma(isLast: true) }
        unpack()
        append(.orient(transform), format)
        size = transform.size(of: size)
    }

    /// Gives each pixel its own chroma: as the requested RGB if no more pixel arithmetic follows.
    private mutating func splitChroma(isLast: Bool) {
        if isLast && !target.isYUV {
            convertToRGB()
        } else {
            unpack()
            resample(to: format.full)
        }
    }

    private mutating func convert() {
        switch (format.isYUV, target.isYUV) {
        case (false, false):
            convertBetweenRGB()
        case (false, true):
            unpack()
            if format.isAlphaFirst { append(.reorder(.bgra), .bgra) }
            append(.fromRGB(target, targetSpace), target)
        case (true, false):
            convertToRGB()
            convertBetweenRGB()
        case (true, true):
            convertBetweenYUV()
        }
    }

    /// Converts to the requested RGB, with four bytes per pixel.
    private mutating func convertToRGB() {
        let isBlended = chroma == .bilinear && format.chromaSubsampling.horizontal == 2
        if isBlended { unpack() }
        append(.toRGB(target.withAlpha, isBlended ? .bilinear : .nearest), target.withAlpha)
    }

    /// Reorders the bytes of pixels. Three bytes in another order are converted through four.
    private mutating func convertBetweenRGB() {
        if format == target { return }
        if format.withAlpha != format { append(.addAlpha(target.withAlpha), target.withAlpha) }
        if target.withAlpha != target {
            if format.isAlphaFirst { append(.reorder(target.withAlpha), target.withAlpha) }
            return append(.dropAlpha(target), target)
        }
        if format != target { append(format.isReadOnly ? .reorder(target) : .swapRedAndBlue(target), target) }
    }

    private mutating func convertBetweenYUV() {
        let recolors = !targetSpace.hasSameCodes(as: colorSpace)
        if format == target && !recolors { return }
        unpack()
        if recolors {
            append(.recolor(targetSpace, format.eightBit), format.eightBit)
        } else if format.bitDepth > target.bitDepth {
            append(.narrow(format.eightBit), format.eightBit)
        }
        if target == .gray8 {
            if format != .gray8 { append(.luma, .gray8) }
        } else {
            resample(to: target.planar)
            if target == .nv12 { append(.interleave, .nv12) }
        }
    }

    /// Converts to a format that can be moved and scaled: planar, or pixels of four bytes.
    private mutating func unpack() {
        if format.planar != format { append(.planar(format.planar), format.planar) }
        if format.withAlpha != format { append(.addAlpha(format.withAlpha), format.withAlpha) }
    }

    private mutating func resample(to wanted: PixelFormat) {
        if format != wanted { append(.resample(wanted, chroma), wanted) }
    }

    private mutating func append(_ step: Step, _ format: PixelFormat) {
        steps.append(step)
        self.format = format
    }
}

extension PixelSize {
    func isMultiple(of block: (horizontal: Int, vertical: Int)) -> Bool {
        width % block.horizontal == 0 && height % block.vertical == 0
    }
}
