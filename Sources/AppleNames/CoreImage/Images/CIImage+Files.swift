// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// An option for the creation of an image.
public struct CIImageOption: RawRepresentable, Sendable, Hashable {
    /// The name of the option.
    public let rawValue: String

    /// Creates an option from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Whether the picture of a file is rotated upright; a `Bool`, by default false.
    public static let applyOrientationProperty = CIImageOption(rawValue: "kCIImageApplyOrientationProperty")
}

extension CIImage {
    /// Creates an image of the bytes of a JPEG or PNG file, which are decoded when the image is rendered.
    ///
    /// - Returns: nil if the data is not a JPEG or PNG file. If only the end of the file is damaged, the image is
    ///   created, but cannot be rendered.
    public convenience init?(data: Data, options: [CIImageOption: Any]? = nil) {
        guard let file = StillSource([UInt8](data)) else { return nil }
        let stored = CIImage(.file(file), ImageArea(size: file.info.size))
        guard options?[.applyOrientationProperty] as? Bool == true else {
            self.init(stored.source, stored.area)
            return
        }
        let orientation = CGImagePropertyOrientation(turn: file.info.orientation, isMirrored: file.info.isMirrored)
        let upright = stored.oriented(orientation)
        self.init(upright.source, upright.area, upright.steps)
    }

    /// Creates an image of a JPEG or PNG file, like ``init(data:options:)``.
    public convenience init?(contentsOf url: URL, options: [CIImageOption: Any]? = nil) {
        guard url.isFileURL, let data = try? Data(contentsOf: url) else { return nil }
        self.init(data: data, options: options)
    }
}
