// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// An option for the choice of filters that improve an image.
public struct CIImageAutoAdjustmentOption: RawRepresentable, Sendable, Hashable {
    /// The name of the option.
    public let rawValue: String

    /// Creates an option from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Whether light and colors are improved; a `Bool`, by default true.
    public static let enhance = CIImageAutoAdjustmentOption(rawValue: "kCIImageAutoAdjustEnhance")
}

extension CIImage {
    /// Returns the image with the effect of a filter; an image without pixels if ``CIFilter`` has no such filter, or
    /// the filter cannot use the values.
    public func applyingFilter(_ name: String, parameters: [String: Any] = [:]) -> CIImage {
        let filter = CIFilter(name: name, parameters: parameters)
        filter?.setValue(self, forKey: kCIInputImageKey)
        return filter?.outputImage ?? .empty()
    }

    /// Returns the image with the effect of the filter `CIGaussianBlur`; see ``CIFilter``.
    ///
    /// - Parameter sigma: the standard deviation, in pixels.
    public func applyingGaussianBlur(sigma: Double) -> CIImage {
        applyingFilter("CIGaussianBlur", parameters: [kCIInputRadiusKey: sigma])
    }

    /// Returns this image, such as a logo, over another one.
    ///
    /// - Parameter background: the other image; the result has its area, unlike on Apple's systems, where it has the
    ///   union of both.
    public func composited(over background: CIImage) -> CIImage {
        guard let area, let behind = background.area else { return background.area == nil ? self : background }
        guard let visible = area.intersection(behind) else { return background }
        let place = behind.pixels(of: visible)
        let layer = cropped(to: visible.rect)
        return background.adding(.overlay(x: place.x, y: place.y) { try layer.rendered(as: .bgra) })
    }

    /// Returns the filters that improve the image, each with this image as its input; apply them one after the other.
    ///
    /// The filter is that of Obscura's `Enhancement.automatic`: white balance, levels, shadows and saturation in one.
    /// Renders the image on the calling thread.
    ///
    /// - Returns: no filter for an image that is as good as possible or cannot be rendered.
    public func autoAdjustmentFilters(options: [CIImageAutoAdjustmentOption: Any]? = nil) -> [CIFilter] {
        guard options?[.enhance] as? Bool ?? true, let picture = try? rendered(),
            let enhancement = try? Enhancement.automatic(for: picture), enhancement != .none
        else { return [] }
        let filter = CIFilter(
            FilterDefinition(name: "ObscuraEnhancement", category: kCICategoryColorAdjustment) { _ in
                { $0.adding(.enhance(enhancement)) }
            })
        filter.setValue(self, forKey: kCIInputImageKey)
        return [filter]
    }
}
