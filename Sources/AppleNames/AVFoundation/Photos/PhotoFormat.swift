// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// The format of a photo: a JPEG file, or pixels in memory.
enum PhotoFormat: Sendable, Hashable {
    case jpeg(quality: Int?)
    case pixels(OSType)

    /// The formats of pixels in memory.
    static let pixelTypes = [
        kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange,
        kCVPixelFormatType_32BGRA,
    ]

    /// The format of a dictionary; nil if it has a value that is not supported.
    static func of(_ settings: [String: Any]?) -> PhotoFormat? {
        guard let settings, !settings.isEmpty else { return .jpeg(quality: nil) }
        if let type = pixelType(settings) { return .pixels(type) }
        var reader = SettingsReader(settings, subject: "photo settings")
        guard let codec = try? reader.text(AVVideoCodecKey), codec == AVVideoCodecType.jpeg.rawValue else { return nil }
        guard var properties = try? reader.dictionary(AVVideoCompressionPropertiesKey),
            let quality = try? properties.number(AVVideoQualityKey)
        else { return .jpeg(quality: nil) }
        return .jpeg(quality: JPEGEncoder.quality(of: quality))
    }

    /// The pixel format that a dictionary asks for; nil for none, and for one that is not supported.
    static func pixelType(_ settings: [String: Any]) -> OSType? {
        settings[kCVPixelBufferPixelFormatTypeKey].flatMap(SettingValue.integer).flatMap(OSType.init(exactly:))
            .flatMap { pixelTypes.contains($0) ? $0 : nil }
    }

    var isFile: Bool {
        if case .jpeg = self { true } else { false }
    }
}
