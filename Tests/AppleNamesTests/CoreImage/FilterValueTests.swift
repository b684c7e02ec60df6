// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import CoreImage
import ObscuraMedia
import Testing

@Suite("Values of CIFilter") struct FilterValueTests {
    private func source() throws -> CIImage { CIImage(cgImage: CGImage(try .bgraNoise(8, 8))) }

    @Test("A filter that is not available is nil, and applying it gives an empty image") func unknownFilters() throws {
        #expect(CIFilter(name: "CIKaleidoscope") == nil)
        #expect(CIFilter(name: "", parameters: [:]) == nil)
        #expect(try source().applyingFilter("CIKaleidoscope").extent.isEmpty)
    }

    @Test("Each type of number is a value") func numbers() throws {
        let source = try source()
        let expected = try source.applyingFilter("CISepiaTone", parameters: [kCIInputIntensityKey: 0.5]).colors()
        let values: [Any] = [CGFloat(0.5), Float(0.5), NSNumber(value: 0.5)]
        for value in values {
            let result = source.applyingFilter("CISepiaTone", parameters: [kCIInputIntensityKey: value])
            #expect(try result.colors() == expected, "\(type(of: value))")
        }
        let blurred = source.applyingFilter("CIBoxBlur", parameters: [kCIInputRadiusKey: UInt8(2)])
        #expect(
            try blurred.colors() == source.applyingFilter("CIBoxBlur", parameters: [kCIInputRadiusKey: 2.0]).colors())
    }

    @Test("There is no result without an image, with a wrong type, or with an unknown key") func wrongValues() throws {
        let filter = try #require(CIFilter(name: "CISepiaTone"))
        #expect(filter.outputImage == nil)
        filter.setValue(try source(), forKey: kCIInputImageKey)
        #expect(filter.outputImage != nil)
        for value: Any? in ["1", nil, Double.nan, Double.infinity, CIColor.red] {
            filter.setValue(value, forKey: kCIInputIntensityKey)
            #expect(filter.outputImage == nil)
        }
        filter.setDefaults()
        #expect(filter.outputImage != nil)
        filter.setValue(1, forKey: kCIInputRadiusKey)
        #expect(filter.outputImage == nil)
        filter.setValue(nil, forKey: kCIInputRadiusKey)
        #expect(filter.outputImage != nil)
        filter.setValue(nil, forKey: kCIInputImageKey)
        #expect(filter.outputImage == nil)
    }

    @Test(
        "Values outside of the meaning of a filter give no result",
        arguments: [
            ("CIGaussianBlur", kCIInputRadiusKey, -1.0), ("CIBoxBlur", kCIInputRadiusKey, -0.1),
            ("CIPixellate", kCIInputScaleKey, -4), ("CILanczosScaleTransform", kCIInputScaleKey, 0),
            ("CIGammaAdjust", "inputPower", 0),
        ])
    func invalidNumbers(_ name: String, _ key: String, _ value: Double) throws {
        let filter = try #require(CIFilter(name: name, parameters: [key: value, kCIInputImageKey: source()]))
        #expect(filter.outputImage == nil)
    }

    @Test("Extreme values are limited and do not fail") func extremes() throws {
        let source = try source()
        for (name, key, value) in [
            ("CIGaussianBlur", kCIInputRadiusKey, 1e300), ("CIPixellate", kCIInputScaleKey, 1e300),
            ("CIExposureAdjust", kCIInputEVKey, 1e4), ("CIExposureAdjust", kCIInputEVKey, -1e4),
            ("CIColorControls", kCIInputContrastKey, 1e300), ("CIColorControls", kCIInputBrightnessKey, -1e300),
            ("CIColorControls", kCIInputSaturationKey, 1e300),
        ] {
            #expect(try source.applyingFilter(name, parameters: [key: value]).colors().count == 8, "\(name) \(value)")
        }
    }

    @Test("A change of a value changes the next result, and not the earlier one") func changes() throws {
        let source = try source()
        let filter = try #require(CIFilter(name: "CIExposureAdjust", parameters: [kCIInputEVKey: 1]))
        filter.setValue(source, forKey: kCIInputImageKey)
        let brighter = try #require(filter.outputImage)
        filter.setValue(-1, forKey: kCIInputEVKey)
        let darker = try #require(filter.value(forKey: kCIOutputImageKey) as? CIImage)
        #expect(filter.value(forKey: kCIInputEVKey) as? Int == -1)
        func sum(_ image: CIImage) throws -> Int { try image.colors().joined().reduce(0) { $0 + Int($1.green) } }
        #expect(try sum(brighter) > sum(source))
        #expect(try sum(darker) < sum(source))
    }

    @Test("The attributes name each key, with Apple's defaults and ranges") func attributes() throws {
        let filter = try #require(CIFilter(name: "CIColorControls"))
        #expect(filter.inputKeys == ["inputImage", "inputSaturation", "inputBrightness", "inputContrast"])
        #expect(filter.outputKeys == ["outputImage"])
        #expect(filter.attributes[kCIAttributeFilterName] as? String == "CIColorControls")
        let contrast = try #require(filter.attributes[kCIInputContrastKey] as? [String: Any])
        #expect((contrast[kCIAttributeDefault] as? NSNumber)?.doubleValue == 1)
        #expect((contrast[kCIAttributeSliderMin] as? NSNumber)?.doubleValue == 0.25)
        #expect((contrast[kCIAttributeSliderMax] as? NSNumber)?.doubleValue == 4)
        for name in CIFilter.filterNames(inCategory: nil) {
            let filter = try #require(CIFilter(name: name))
            for key in filter.inputKeys { #expect(filter.attributes[key] is [String: Any], "\(name) \(key)") }
        }
        #expect(CIFilter.filterNames(inCategory: kCICategoryBlur) == ["CIBoxBlur", "CIGaussianBlur"])
        #expect(CIFilter.filterNames(inCategory: kCICategoryBuiltIn).count > 10)
        #expect(CIFilter.filterNames(inCategory: "none").isEmpty)
    }

    @Test("Vectors and colors are values") func vectors() {
        #expect(CIVector(x: 1, y: 2) == CIVector(cgPoint: CGPoint(x: 1, y: 2)))
        #expect(CIVector(values: [1, 2, 3], count: 3) == CIVector(x: 1, y: 2, z: 3))
        #expect(CIVector(x: 1, y: 2).w == 0)
        #expect(CIVector(x: 1, y: 2).value(at: -1) == 0)
        #expect(CIVector(cgRect: CGRect(x: 1, y: 2, width: 3, height: 4)).cgRectValue.width == 3)
        #expect(CIColor(red: 1, green: 0, blue: 0) == .red)
        #expect(CIColor(red: 1, green: 0, blue: 0, alpha: 0.5) != .red)
    }
}
