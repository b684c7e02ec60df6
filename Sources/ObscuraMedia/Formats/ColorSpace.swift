// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The color space of a frame: how its samples represent colors.
public struct ColorSpace: Sendable, Hashable {
    /// The matrix between YCbCr and RGB (ITU-T H.273, table 4).
    public enum Matrix: String, Sendable, Hashable, CaseIterable, Codable {
        /// Recommendation ITU-R BT.601: luma is 0.299 red + 0.587 green + 0.114 blue.
        case bt601
        /// Recommendation ITU-R BT.709: luma is 0.2126 red + 0.7152 green + 0.0722 blue.
        case bt709
        /// Recommendation ITU-R BT.2020, non-constant luminance: luma is 0.2627 red + 0.6780 green + 0.0593 blue.
        case bt2020

        /// The weight of red in luma.
        public var kr: Double {
            switch self {
            case .bt601: 0.299
            case .bt709: 0.2126
            case .bt2020: 0.2627
            }
        }

        /// The weight of blue in luma.
        public var kb: Double {
            switch self {
            case .bt601: 0.114
            case .bt709: 0.0722
            case .bt2020: 0.0593
            }
        }
    }

    /// The range of sample values between black and white.
    public enum Range: String, Sendable, Hashable, CaseIterable, Codable {
        /// At 8 bits: luma 16 to 235, chroma 16 to 240.
        case limited
        /// At 8 bits: 0 to 255.
        case full
    }

    /// The chromaticities of red, green, blue and white (ITU-T H.273, table 2).
    public enum Primaries: String, Sendable, Hashable, CaseIterable, Codable {
        /// BT.601 with 525 lines (SMPTE 170M).
        case bt601NTSC
        /// BT.601 with 625 lines (BT.470 BG).
        case bt601PAL
        /// BT.709 and sRGB.
        case bt709
        /// BT.2020 and BT.2100, for wide color.
        case bt2020
    }

    /// The transfer function from light to sample values (ITU-T H.273, table 3).
    public enum Transfer: String, Sendable, Hashable, CaseIterable, Codable {
        /// The curve that BT.601, BT.709 and BT.2020 share.
        case bt709
        /// The curve of sRGB (IEC 61966-2-1).
        case sRGB
        /// Values proportional to light.
        case linear
        /// Perceptual quantizer (SMPTE ST 2084), for HDR.
        case pq
        /// Hybrid log-gamma (ARIB STD-B67), for HDR.
        case hlg
    }

    /// The matrix between YCbCr and RGB.
    public var matrix: Matrix
    /// The range of sample values between black and white.
    public var range: Range
    /// The chromaticities of the primary colors.
    public var primaries: Primaries
    /// The transfer function.
    public var transfer: Transfer
    /// Whether this color space is assumed, because the source did not specify a color space.
    public var isAssumed: Bool

    /// Creates a color space; the default primaries and transfer function are those of BT.709.
    public init(
        matrix: Matrix, range: Range, primaries: Primaries = .bt709, transfer: Transfer = .bt709,
        isAssumed: Bool = false
    ) {
        self.matrix = matrix
        self.range = range
        self.primaries = primaries
        self.transfer = transfer
        self.isAssumed = isAssumed
    }

    /// The color space assumed for YUV frames without a specified color space: BT.601, limited range.
    public static let assumed = ColorSpace(matrix: .bt601, range: .limited, isAssumed: true)
    /// BT.601, limited range.
    public static let bt601 = ColorSpace(matrix: .bt601, range: .limited, primaries: .bt601NTSC)
    /// BT.709, limited range.
    public static let bt709 = ColorSpace(matrix: .bt709, range: .limited)
    /// BT.2020, limited range.
    public static let bt2020 = ColorSpace(matrix: .bt2020, range: .limited, primaries: .bt2020)
    /// BT.601, full range: the color space of JPEG files (JFIF 1.02).
    public static let jpeg = ColorSpace(matrix: .bt601, range: .full, transfer: .sRGB)
    /// RGB for display (sRGB).
    public static let sRGB = ColorSpace(matrix: .bt709, range: .full, transfer: .sRGB)
}
