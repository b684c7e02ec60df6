// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg
package import ObscuraMedia

/// The color properties of a stream or a frame, in FFmpeg's terms (ITU-T H.273).
package struct FrameColors: Equatable {
    var matrix: AVColorSpace
    var range: AVColorRange
    var primaries: AVColorPrimaries
    var transfer: AVColorTransferCharacteristic
    var pixelFormat: AVPixelFormat
    /// Whether the stream is JPEG, whose decoder reports a matrix that the stream does not contain.
    package var isJPEG: Bool

    package init(_ frame: Frame, isJPEG: Bool) {
        let fields = frame.pointer.pointee
        matrix = fields.colorspace
        range = fields.color_range
        primaries = fields.color_primaries
        transfer = fields.color_trc
        pixelFormat = frame.pixelFormat
        self.isJPEG = isJPEG
    }

    init(
        matrix: AVColorSpace, range: AVColorRange, primaries: AVColorPrimaries,
        transfer: AVColorTransferCharacteristic, pixelFormat: AVPixelFormat, isJPEG: Bool
    ) {
        self.matrix = matrix
        self.range = range
        self.primaries = primaries
        self.transfer = transfer
        self.pixelFormat = pixelFormat
        self.isJPEG = isJPEG
    }

    /// Whether the range is full (0 is black, 255 is white), by the tag or else by the pixel format.
    package var isFullRange: Bool {
        switch range {
        case AVCOL_RANGE_JPEG: true
        case AVCOL_RANGE_MPEG: false
        default: isJPEG || FramePixels.withoutRange(pixelFormat) != pixelFormat
        }
    }

    /// Returns the color space from the given properties; missing ones are assumed.
    package func colorSpace(for format: PixelFormat) -> ColorSpace {
        guard format.isYUV else { return rgb }
        var space = isFullRange && matrix == AVCOL_SPC_UNSPECIFIED ? ColorSpace.jpeg : ColorSpace.assumed
        if isJPEG { space = .jpeg }
        space.range = isFullRange ? .full : .limited
        space.isAssumed = isJPEG ? primaries == AVCOL_PRI_UNSPECIFIED : knownMatrix == nil
        if let knownMatrix, !isJPEG || !space.isAssumed {
            space.matrix = knownMatrix
            space.primaries = Self.primaries(of: knownMatrix)
        }
        if let primaries = knownPrimaries { space.primaries = primaries }
        if let transfer = knownTransfer { space.transfer = transfer }
        return space
    }

    private var rgb: ColorSpace {
        var space = ColorSpace.sRGB
        if let primaries = knownPrimaries { space.primaries = primaries }
        if let transfer = knownTransfer { space.transfer = transfer }
        return space
    }

    private var knownMatrix: ColorSpace.Matrix? {
        switch matrix {
        case AVCOL_SPC_BT709: .bt709
        case AVCOL_SPC_BT470BG, AVCOL_SPC_SMPTE170M, AVCOL_SPC_FCC: .bt601
        case AVCOL_SPC_BT2020_NCL, AVCOL_SPC_BT2020_CL: .bt2020
        // SMPTE 240M has Kr = 0.212, Kb = 0.087; BT.709 is the nearest.
        case AVCOL_SPC_SMPTE240M: .bt709
        default: nil
        }
    }

    private static func primaries(of matrix: ColorSpace.Matrix) -> ColorSpace.Primaries {
        switch matrix {
        case .bt601: .bt601NTSC
        case .bt709: .bt709
        case .bt2020: .bt2020
        }
    }

    private var knownPrimaries: ColorSpace.Primaries? {
        switch primaries {
        case AVCOL_PRI_BT709: .bt709
        case AVCOL_PRI_BT470BG: .bt601PAL
        case AVCOL_PRI_SMPTE170M, AVCOL_PRI_SMPTE240M: .bt601NTSC
        case AVCOL_PRI_BT2020: .bt2020
        default: nil
        }
    }

    private var knownTransfer: ColorSpace.Transfer? {
        switch transfer {
        case AVCOL_TRC_BT709, AVCOL_TRC_SMPTE170M, AVCOL_TRC_BT2020_10, AVCOL_TRC_BT2020_12: .bt709
        case AVCOL_TRC_IEC61966_2_1: .sRGB
        case AVCOL_TRC_LINEAR: .linear
        case AVCOL_TRC_SMPTE2084: .pq
        case AVCOL_TRC_ARIB_STD_B67: .hlg
        default: nil
        }
    }
}
