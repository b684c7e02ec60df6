// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraImaging

/// An option of ``CIImage/autoAdjustmentFilters(options:)``.
public struct CIImageAutoAdjustmentOption: RawRepresentable, Sendable, Hashable {
    /// The name of the option.
    public let rawValue: String

    /// Creates an option from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Whether light and colors are improved; a `Bool`, by default true.
    public static let enhance = CIImageAutoAdjustmentOption(rawValue: "kCIImageAutoAdjustEnhance")
    /// Whether red pupils are corrected; a `Bool`, by default true.
    public static let redEye = CIImageAutoAdjustmentOption(rawValue: "kCIImageAutoAdjustRedEye")
    /// The faces in the image: an array of ``CIFeature``, such as the result of ``CIDetector``. Without this option,
    /// the image is searched for faces.
    public static let features = CIImageAutoAdjustmentOption(rawValue: "kCIImageAutoAdjustFeatures")
}

extension CIImage {
    /// The detector of the faces whose eyes are corrected; nil if OpenCV is missing.
    private static let faceDetector = CIDetector(ofType: CIDetectorTypeFace, context: nil)

    /// Returns the filters that improve the image. Each has this image as its input. To apply several filters, set the
    /// input of each to the output of the filter before it.
    ///
    /// - `CIRedEyeCorrection`: `StillEdit.redEye`, for red pupils in the eyes that OpenCV finds. If OpenCV is missing,
    ///   so is this filter, and an error is logged.
    /// - `ObscuraEnhancement`: `Enhancement.automatic`, which is white balance, levels, shadows and saturation in one.
    ///
    /// Renders the image on the calling thread, and searches it for faces.
    ///
    /// - Returns: an empty array if the image needs no improvement, or cannot be rendered.
    public func autoAdjustmentFilters(options: [CIImageAutoAdjustmentOption: Any]? = nil) -> [CIFilter] {
        guard let picture = try? rendered() else { return [] }
        var filters: [CIFilter] = []
        if Bool(option: options?[.redEye]) ?? true {
            let pupils = redPupils(in: picture, of: options?[.features] as? [CIFeature])
            if !pupils.isEmpty { filters.append(adjustment("CIRedEyeCorrection", .redEye(pupils))) }
        }
        if Bool(option: options?[.enhance]) ?? true, let enhancement = try? Enhancement.automatic(for: picture),
            enhancement != .none
        {
            filters.append(adjustment("ObscuraEnhancement", .enhance(enhancement)))
        }
        return filters
    }

    private func adjustment(_ name: String, _ edit: StillEdit) -> CIFilter {
        let filter = CIFilter(
            FilterDefinition(name: name, category: kCICategoryColorAdjustment) { _ in { $0.adding(.edit(edit)) } })
        filter.setValue(self, forKey: kCIInputImageKey)
        return filter
    }

    /// Returns the parts of the picture with red pupils.
    ///
    /// - Parameters:
    ///   - picture: the picture of this image.
    ///   - features: the faces; nil if they are to be searched for.
    private func redPupils(in picture: PixelBuffer, of features: [CIFeature]?) -> [UnitRect] {
        guard let area, let features = features ?? Self.faceDetector?.features(in: self) else { return [] }
        let eyes = features.compactMap { $0 as? CIFaceFeature }.flatMap { [$0.leftEye, $0.rightEye] }
        let places = eyes.compactMap { $0.flatMap(ImageArea.init(enclosing:)) }.map(area.pixels(of:))
        return (try? RedEye.redPupils(in: picture, eyes: places)) ?? []
    }
}
