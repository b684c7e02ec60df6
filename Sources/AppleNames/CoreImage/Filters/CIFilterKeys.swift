// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// The keys of the values of filters.

/// The key of the image.
public let kCIInputImageKey = "inputImage"
/// The key of the background image.
public let kCIInputBackgroundImageKey = "inputBackgroundImage"
/// The key of the strength of an effect.
public let kCIInputIntensityKey = "inputIntensity"
/// The key of a radius, in pixels.
public let kCIInputRadiusKey = "inputRadius"
/// The key of a scale factor, or of the side length of squares.
public let kCIInputScaleKey = "inputScale"
/// The key of an additional horizontal scale factor.
public let kCIInputAspectRatioKey = "inputAspectRatio"
/// The key of a point.
public let kCIInputCenterKey = "inputCenter"
/// The key of a color.
public let kCIInputColorKey = "inputColor"
/// The key of the saturation.
public let kCIInputSaturationKey = "inputSaturation"
/// The key of the brightness.
public let kCIInputBrightnessKey = "inputBrightness"
/// The key of the contrast.
public let kCIInputContrastKey = "inputContrast"
/// The key of the exposure, in EV.
public let kCIInputEVKey = "inputEV"
/// The key of the result.
public let kCIOutputImageKey = "outputImage"

// The keys of the attributes of filters, and of their values.

/// The key of the name of a filter.
public let kCIAttributeFilterName = "CIAttributeFilterName"
/// The key of the categories of a filter.
public let kCIAttributeFilterCategories = "CIAttributeFilterCategories"
/// The key of the name of a value's class.
public let kCIAttributeClass = "CIAttributeClass"
/// The key of the default of a value.
public let kCIAttributeDefault = "CIAttributeDefault"
/// The key of the lower end of the usual range of a number.
public let kCIAttributeSliderMin = "CIAttributeSliderMin"
/// The key of the upper end of the usual range of a number.
public let kCIAttributeSliderMax = "CIAttributeSliderMax"

// The categories of filters.

/// All filters.
public let kCICategoryBuiltIn = "CICategoryBuiltIn"
/// Blurs.
public let kCICategoryBlur = "CICategoryBlur"
/// Corrections of colors.
public let kCICategoryColorAdjustment = "CICategoryColorAdjustment"
/// Color effects.
public let kCICategoryColorEffect = "CICategoryColorEffect"
/// Combinations of two images.
public let kCICategoryCompositeOperation = "CICategoryCompositeOperation"
/// Changes of the size.
public let kCICategoryGeometryAdjustment = "CICategoryGeometryAdjustment"
/// Drawing styles.
public let kCICategoryStylize = "CICategoryStylize"
