// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

extension CIImage {
    /// Returns the image with the effect of a filter. If ``CIFilter`` does not have the filter, or the filter cannot
    /// use the values, the result has no pixels.
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

    /// Returns this image, such as a logo, over a background.
    ///
    /// - Parameter background: the image behind this one. The result has the area of the background. On Apple's
    ///   systems, it has the union of both areas.
    public func composited(over background: CIImage) -> CIImage {
        guard let area, let behind = background.area else { return background.area == nil ? self : background }
        guard let visible = area.intersection(behind) else { return background }
        let place = behind.pixels(of: visible)
        let layer = cropped(to: visible.rect)
        return background.adding(.overlay(x: place.x, y: place.y) { try layer.rendered(as: .bgra) })
    }
}
