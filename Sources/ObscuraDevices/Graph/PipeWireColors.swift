// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// PipeWire's description of a frame's colors (enum spa_video_color_range, spa_video_color_matrix,
/// spa_video_transfer_function, spa_video_color_primaries of spa/param/video/color.h).
struct PipeWireColors: Sendable, Hashable {
    var range: UInt32
    var matrix: UInt32
    var transfer: UInt32
    var primaries: UInt32

    /// Returns the color space; nil if the node does not report it.
    func meaning(for format: PixelFormat) -> ColorSpace? {
        // Gray frames have codes from 0 to 255, as those of V4L2; see V4L2Colors.
        if format == .gray8 { return ColorSpace(matrix: .bt601, range: .full) }
        guard range != 0 || matrix != 0 || transfer != 0 || primaries != 0 else { return nil }
        var meaning = format.isYUV ? ColorSpace.bt601 : .sRGB
        switch matrix {
        case 3: meaning.matrix = .bt709  // BT709
        case 2, 4, 5: meaning.matrix = .bt601  // FCC, BT601, SMPTE240M
        case 6: meaning.matrix = .bt2020  // BT2020
        default: break
        }
        switch range {
        case 1: meaning.range = .full  // 0_255
        case 2: meaning.range = .limited  // 16_235
        default: break
        }
        switch primaries {
        case 2, 4, 5: meaning.primaries = .bt601NTSC  // BT470M, SMPTE170M, SMPTE240M
        case 3: meaning.primaries = .bt601PAL  // BT470BG
        case 7: meaning.primaries = .bt2020  // BT2020
        default: meaning.primaries = .bt709
        }
        switch transfer {
        case 1: meaning.transfer = .linear  // GAMMA10
        case 7: meaning.transfer = .sRGB  // SRGB
        case 14: meaning.transfer = .pq  // SMPTE2084
        case 15: meaning.transfer = .hlg  // ARIB_STD_B67
        default: meaning.transfer = .bt709
        }
        return meaning
    }
}
