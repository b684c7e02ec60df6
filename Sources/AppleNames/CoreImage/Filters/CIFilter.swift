// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A filter, which is created by its name. Its values are set by keys.
///
/// These filters of Apple's are available, with these keys in addition to `inputImage`, and with these effects:
///
/// - `CISepiaTone` (`inputIntensity`): `VideoEffect.sepia`, the tone of the W3C.
/// - `CIColorMonochrome` (`inputColor`, `inputIntensity`): the luma of BT.709 times the color.
/// - `CIPhotoEffectMono`, `CIPhotoEffectTonal`: `VideoEffect.mono`. Apple's colors are similar, but not public.
/// - `CIPhotoEffectNoir`: luma with a contrast of 1.25. Apple's colors are similar, but not public.
/// - `CIColorInvert`: `VideoEffect.invert`.
/// - `CIColorControls` (`inputSaturation`, `inputBrightness`, `inputContrast`): an `Enhancement` with Apple's formulas.
/// - `CIColorMatrix` (`inputRVector`, `inputGVector`, `inputBVector`, `inputBiasVector`): there is no vector for alpha.
/// - `CIExposureAdjust` (`inputEV`): a `VideoEffect.lut` that multiplies linear light by 2 to the power of EV.
/// - `CIGammaAdjust` (`inputPower`): a `VideoEffect.lut` that raises linear light to the power.
/// - `CIColorCube` and `CIColorCubeWithColorSpace` (`inputCubeDimension`, `inputCubeData`, `inputColorSpace`):
///   `VideoEffect.lut`. The cube contains sRGB values. Its alpha is ignored.
/// - `CIGaussianBlur` (`inputRadius`): `VideoEffect.blur` with the radius whose σ is nearest. The image keeps its area.
///   Beyond its edges, the outermost pixels are repeated, as after Apple's `clampedToExtent()`.
/// - `CIBoxBlur` (`inputRadius`): one pass of `VideoEffect.blur`, with the same edges as `CIGaussianBlur`.
/// - `CIPixellate` (`inputScale`, `inputCenter`): `VideoEffect.pixellate`. Four squares meet at the center. Each square
///   has the mean color of its pixels.
/// - `CILanczosScaleTransform` (`inputScale`, `inputAspectRatio`): the scaling of `ImageTransformer`, to whole pixels.
/// - `CISourceOverCompositing` (`inputBackgroundImage`): `VideoEffect.overlay`. The result has the area of the
///   background.
///
/// The defaults and the usual ranges are those of Apple. Colors are the stored values of sRGB; see ``CIContext``.
/// Values outside of the usual range are accepted.
///
/// ``outputImage`` is nil if a value is missing or of a wrong type, or if a key is not in this list.
///
/// Use a filter on only one thread at a time.
public final class CIFilter {
    private let definition: FilterDefinition
    private var values: [String: Any] = [:]
    /// The operation with the present values; nil if it is not yet made.
    private var operation: FilterDefinition.Operation??

    init(_ definition: FilterDefinition) {
        self.definition = definition
        setDefaults()
    }

    /// Creates a filter with default values.
    ///
    /// - Returns: nil for a filter that is not available.
    public convenience init?(name: String) {
        guard let definition = FilterDefinition.all[name] else { return nil }
        self.init(definition)
    }

    /// Creates a filter with some values. All other values have their defaults.
    ///
    /// - Returns: nil for a filter that is not available.
    public convenience init?(name: String, parameters: [String: Any]?) {
        self.init(name: name)
        for (key, value) in parameters ?? [:] { setValue(value, forKey: key) }
    }

    /// The name of the filter.
    public var name: String { definition.name }
    /// The keys of all values.
    public var inputKeys: [String] { [kCIInputImageKey] + definition.inputs.map(\.key) }
    /// The keys of the results.
    public var outputKeys: [String] { [kCIOutputImageKey] }

    /// The name and the categories of the filter, and a dictionary for each key of a value: the name of its class, its
    /// default, and the usual range of a number.
    public var attributes: [String: Any] {
        var attributes: [String: Any] = [
            kCIAttributeFilterName: name,
            kCIAttributeFilterCategories: [definition.category, kCICategoryBuiltIn],
            kCIInputImageKey: [kCIAttributeClass: "CIImage"],
        ]
        for input in definition.inputs { attributes[input.key] = input.attributes }
        return attributes
    }

    /// Sets all values except images to their defaults.
    public func setDefaults() {
        for input in definition.inputs {
            if let usual = input.usual { values[input.key] = usual }
        }
        operation = nil
    }

    /// Sets a value; nil removes it.
    public func setValue(_ value: Any?, forKey key: String) {
        values[key] = value
        if key != kCIInputImageKey { operation = nil }
    }

    /// Returns the value of a key, or ``outputImage``; nil if there is none.
    public func value(forKey key: String) -> Any? {
        key == kCIOutputImageKey ? outputImage : values[key]
    }

    /// The image with the effect, which is rendered later. Nil if the input image is missing, or the filter cannot use
    /// a value.
    public var outputImage: CIImage? {
        guard let image = values[kCIInputImageKey] as? CIImage else { return nil }
        if operation == nil { operation = .some(makeOperation()) }
        return operation.flatMap { $0 }?(image)
    }

    private func makeOperation() -> FilterDefinition.Operation? {
        let keys = Set(inputKeys)
        return values.keys.allSatisfy(keys.contains) ? definition.make(FilterValues(values: values)) : nil
    }

    /// Returns the sorted names of the available filters of a category. For nil, returns the names of all filters.
    public static func filterNames(inCategory category: String?) -> [String] {
        let all = FilterDefinition.all.values
        let isWanted = { (definition: FilterDefinition) in
            category == nil || category == kCICategoryBuiltIn || category == definition.category
        }
        return all.filter(isWanted).map(\.name).sorted()
    }
}

extension CIFilter: Hashable {
    /// Whether both are the same object.
    public static func == (one: CIFilter, other: CIFilter) -> Bool { one === other }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
