// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Logging
internal import Obscura
internal import ObscuraBase
internal import ObscuraMedia

/// An option of a context.
public struct CIContextOption: RawRepresentable, Sendable, Hashable {
    /// The name of the option.
    public let rawValue: String

    /// Creates an option from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Whether images are rendered by the CPU; always true here.
    public static let useSoftwareRenderer = CIContextOption(rawValue: "kCIContextUseSoftwareRenderer")
    /// The color space of filters; here always `NSNull`, which means that the stored values are used.
    public static let workingColorSpace = CIContextOption(rawValue: "kCIContextWorkingColorSpace")
    /// Whether results between filters are kept; always false here.
    public static let cacheIntermediates = CIContextOption(rawValue: "kCIContextCacheIntermediates")
    /// A name for messages.
    public static let name = CIContextOption(rawValue: "kCIContextName")
}

/// The renderer of images.
///
/// Images are rendered by the CPU, on the calling thread. Filters use gamma-encoded sRGB values, not linear light, like
/// a context on Apple's systems without a working color space. Thread-safe.
///
/// A context reuses its memory: create one, and use it for all frames.
public final class CIContext: Sendable {
    static let logger = Logger(label: "obscura.coreimage")

    /// For a picture that is shown and the next one; more are allocated as needed.
    private static let keptPictures = 2

    private let pools = Lock(PixelBufferPool(capacity: keptPictures, isElastic: true))

    var pool: PixelBufferPool { pools.withLock { $0 } }

    /// Creates a context.
    ///
    /// - Parameter options: ignored.
    public init(options: [CIContextOption: Any]? = nil) {}

    /// Frees the memory that the context keeps for reuse.
    public func clearCaches() {
        pools.withLock { $0 = PixelBufferPool(capacity: Self.keptPictures, isElastic: true) }
    }

    /// Renders a part of an image.
    ///
    /// - Parameter rect: the part, measured from the bottom left corner; extended to whole pixels. Pixels outside of
    ///   the image are transparent.
    /// - Returns: nil if the part is empty, outside of the image, or more than 32768 pixels wide or high. Also nil if
    ///   the file of the image is damaged, or there is not enough memory.
    public func createCGImage(_ image: CIImage, from rect: CGRect) -> CGImage? {
        guard let wanted = ImageArea(enclosing: rect), let visible = image.area?.intersection(wanted),
            let part = try? image.rendered(visible, as: .bgra, in: pool)
        else { return nil }
        if visible == wanted { return CGImage(part) }
        guard var canvas = try? PixelBuffer(format: .bgra, width: wanted.width, height: wanted.height) else {
            return nil
        }
        let place = wanted.pixels(of: visible)
        guard (try? canvas.paste(part, x: place.x, y: place.y)) != nil else { return nil }
        return CGImage(canvas)
    }
}

extension CIContext: Hashable {
    /// Whether both are the same object.
    public static func == (one: CIContext, other: CIContext) -> Bool { one === other }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
