// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// The kernel's description of a frame's colors (enum v4l2_colorspace, v4l2_ycbcr_encoding, v4l2_quantization,
/// v4l2_xfer_func of linux/videodev2.h).
///
/// https://docs.kernel.org/userspace-api/media/v4l/colorspaces-defs.html
struct V4L2Colors: Sendable, Hashable {
    var colorSpace: UInt32
    var encoding: UInt32
    var quantization: UInt32
    var transfer: UInt32

    /// Returns the color space; nil if the driver does not report it.
    ///
    /// Zero is the default of the color space: the encoding is BT.601 except for Rec. 709, DCI-P3 and BT.2020; the
    /// range is full for RGB and JPEG, otherwise limited.
    func meaning(for format: PixelFormat) -> ColorSpace? {
        guard format == .gray8 || colorSpace != 0 || encoding != 0 || quantization != 0 else { return nil }
        var meaning = format.isYUV ? ColorSpace.bt601 : .sRGB
        meaning.matrix = matrix
        // Gray cameras use codes from 0 to 255, whatever the driver reports: the kernel's test camera does although it
        // reports "limited", and FFmpeg and GStreamer treat them so.
        meaning.range = format == .gray8 ? .full : range(isYUV: format.isYUV)
        meaning.primaries = primaries
        meaning.transfer = curve
        return meaning
    }

    private var matrix: ColorSpace.Matrix {
        switch encoding {
        case 1, 3: .bt601  // 601, XV601
        case 2, 4: .bt709  // 709, XV709
        case 6, 7: .bt2020  // BT2020, BT2020_CONST_LUM
        default:
            switch colorSpace {
            case 3, 12: .bt709  // REC709, DCI_P3
            case 10: .bt2020  // BT2020
            default: .bt601
            }
        }
    }

    private func range(isYUV: Bool) -> ColorSpace.Range {
        switch quantization {
        case 1: .full
        case 2: .limited
        default: !isYUV || colorSpace == 7 ? .full : .limited  // 7: JPEG
        }
    }

    private var primaries: ColorSpace.Primaries {
        switch colorSpace {
        case 1, 2, 5: .bt601NTSC  // SMPTE170M, SMPTE240M, 470_SYSTEM_M
        case 6: .bt601PAL  // 470_SYSTEM_BG
        case 10: .bt2020
        default: .bt709
        }
    }

    private var curve: ColorSpace.Transfer {
        switch transfer {
        case 1, 4: .bt709  // 709, SMPTE240M
        case 2: .sRGB
        case 5: .linear  // NONE
        case 7: .pq  // SMPTE2084
        default: colorSpace == 7 || colorSpace == 8 ? .sRGB : .bt709  // JPEG, SRGB
        }
    }
}
