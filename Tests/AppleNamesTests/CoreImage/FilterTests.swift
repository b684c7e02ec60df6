// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import CoreImage
import ObscuraImaging
import ObscuraMedia
import Testing

@Suite("CIFilter") struct FilterTests {
    private func image(_ picture: PixelBuffer) -> CIImage { CIImage(cgImage: CGImage(picture)) }

    private func image(_ colors: TestColor...) throws -> CIImage {
        image(try .bgra(colors.count, 1) { x, _ in colors[x] })
    }

    @Test(
        "A filter has the result of Obscura's effect",
        arguments: [
            "CISepiaTone", "CIPhotoEffectMono", "CIPhotoEffectTonal", "CIColorInvert", "CIGaussianBlur", "CIBoxBlur",
        ])
    func effects(_ name: String) throws {
        let effect: VideoEffect =
            switch name {
            case "CISepiaTone": .sepia
            case "CIColorInvert": .invert
            // The default σ is 10, and that of three means of 2·10 + 1 pixels is 10.5.
            case "CIGaussianBlur": .blur(radius: 10)
            case "CIBoxBlur": .blur(radius: 10, passes: 1)
            default: .mono
            }
        for format in [PixelFormat.bgra, .nv12] {
            let picture = try PixelBuffer.bgraNoise(48, 32).converted(to: format)
            var request = ImageRequest(pixelFormat: .bgra)
            request.effects = [effect]
            let expected = try ImageTransformer.transform(picture, request).colors
            let filter = try #require(CIFilter(name: name))
            filter.setValue(CIImage(cvPixelBuffer: CVBuffer(picture)), forKey: kCIInputImageKey)
            #expect(try filter.outputImage?.colors() == expected, "\(format)")
            #expect(expected != (try picture.converted(to: .bgra).colors))
        }
    }

    @Test(
        "The default values change nothing in corrections",
        arguments: [
            "CIColorControls", "CIColorMatrix", "CIExposureAdjust", "CIGammaAdjust", "CIColorCube",
            "CIColorCubeWithColorSpace", "CILanczosScaleTransform",
        ])
    func neutralDefaults(_ name: String) throws {
        let picture = try PixelBuffer.bgraNoise(16, 9)
        #expect(try image(picture).applyingFilter(name).colors() == picture.colors)
    }

    @Test("The intensity of sepia is the share of the effect") func sepia() throws {
        let source = try image(TestColor(red: 200, green: 100, blue: 50))
        // The tone of this color is (165 147 114).
        #expect(try source.applyingFilter("CISepiaTone").colors() == [[TestColor(red: 165, green: 147, blue: 114)]])
        let half = source.applyingFilter("CISepiaTone", parameters: [kCIInputIntensityKey: 0.5])
        #expect(try half.colors()[0][0].isNear(TestColor(red: 182, green: 123, blue: 82), 1))
        let none = source.applyingFilter("CISepiaTone", parameters: [kCIInputIntensityKey: 0])
        #expect(try none.colors() == source.colors())
    }

    @Test("Monochrome is luma times the color") func monochrome() throws {
        let source = try image(.gray(100), .green)
        let filter = try #require(CIFilter(name: "CIColorMonochrome"))
        filter.setValue(source, forKey: kCIInputImageKey)
        // The default color is (0.6, 0.45, 0.3), and the luma of green 182.4.
        #expect(
            try filter.outputImage?.colors() == [
                [TestColor(red: 60, green: 45, blue: 30), TestColor(red: 109, green: 82, blue: 55)]
            ])
        filter.setValue(CIColor(red: 0, green: 1, blue: 0), forKey: kCIInputColorKey)
        filter.setValue(NSNumber(value: 0.5), forKey: kCIInputIntensityKey)
        #expect(try filter.outputImage?.colors()[0][0] == TestColor(red: 50, green: 100, blue: 50))
    }

    @Test("Contrast, brightness and saturation have Apple's formulas") func colorControls() throws {
        func controls(_ source: CIImage, _ values: [String: Any]) throws -> [TestColor] {
            try source.applyingFilter("CIColorControls", parameters: values).colors()[0]
        }
        let grays = try image(.gray(0), .gray(100), .gray(128), .gray(255))
        // (c - 127.5)·2 + 127.5
        #expect(try controls(grays, [kCIInputContrastKey: 2]) == [.gray(0), .gray(73), .gray(129), .gray(255)])
        #expect(try controls(grays, [kCIInputContrastKey: 0.5]) == [.gray(64), .gray(114), .gray(128), .gray(191)])
        #expect(try controls(grays, [kCIInputBrightnessKey: 0.2]) == [.gray(51), .gray(151), .gray(179), .gray(255)])
        #expect(try controls(grays, [kCIInputBrightnessKey: -0.2]) == [.gray(0), .gray(49), .gray(77), .gray(204)])
        // The luma of red is 54.2.
        #expect(try controls(image(.red), [kCIInputSaturationKey: 0]) == [.gray(54)])
        let half = try controls(image(.red), [kCIInputSaturationKey: 0.5])[0]
        #expect(half.isNear(TestColor(red: 155, green: 27, blue: 27), 1), "\(half)")
        let gray = try controls(grays, [kCIInputContrastKey: 0])
        #expect(gray.allSatisfy { $0.isNear(.gray(128), 1) }, "\(gray)")
    }

    @Test("Noir is gray with more contrast") func noir() throws {
        let colors = try image(.gray(60), .gray(200), .red).applyingFilter("CIPhotoEffectNoir").colors()[0]
        // (c - 127.5)·1.25 + 127.5
        #expect(colors[0].isNear(.gray(43), 1) && colors[1].isNear(.gray(218), 1), "\(colors)")
        #expect(colors[2].red == colors[2].green && colors[2].green == colors[2].blue)
    }

    @Test("A matrix without green is the effect of RosyWriter") func matrix() throws {
        let picture = try PixelBuffer.bgraNoise(16, 9)
        var request = ImageRequest()
        request.effects = [.rosy]
        let rosy = image(picture).applyingFilter(
            "CIColorMatrix", parameters: ["inputGVector": CIVector(x: 0, y: 0, z: 0, w: 0)])
        #expect(try rosy.colors() == ImageTransformer.transform(picture, request).colors)
        let mixed = try image(TestColor(red: 10, green: 20, blue: 30)).applyingFilter(
            "CIColorMatrix",
            parameters: [
                "inputRVector": CIVector(x: 0, y: 0, z: 1, w: 0), "inputGVector": CIVector(x: 1, y: 1, z: 1, w: 0.2),
                "inputBVector": CIVector(x: -9, y: 0, z: 0), "inputBiasVector": CIVector(x: 0.4, y: 0, z: 0, w: 0),
            ])
        #expect(try mixed.colors() == [[TestColor(red: 132, green: 111, blue: 0)]])
    }

    @Test("Exposure multiplies light, and gamma is its power") func light() throws {
        let grays = try image(.gray(10), .gray(50), .gray(128), .gray(200))
        func adjusted(_ name: String, _ key: String, _ value: Double) throws -> [TestColor] {
            try grays.applyingFilter(name, parameters: [key: value]).colors()[0]
        }
        #expect(try adjusted("CIExposureAdjust", kCIInputEVKey, 1) == [.gray(18), .gray(71), .gray(176), .gray(255)])
        #expect(try adjusted("CIExposureAdjust", kCIInputEVKey, -1) == [.gray(5), .gray(34), .gray(92), .gray(146)])
        #expect(try adjusted("CIGammaAdjust", "inputPower", 2) == [.gray(0), .gray(3), .gray(61), .gray(156)])
    }

    @Test("A cube looks colors up, red first") func cube() throws {
        // Exchanges red and blue.
        var colors: [Float] = []
        for blue: Float in [0, 1] {
            for green: Float in [0, 1] {
                for red: Float in [0, 1] { colors += [blue, green, red, 1] }
            }
        }
        let data = colors.withUnsafeBytes { Data($0) }
        let source = try image(TestColor(red: 10, green: 120, blue: 230), .red)
        let swapped = source.applyingFilter(
            "CIColorCubeWithColorSpace",
            parameters: [
                "inputCubeDimension": 2, "inputCubeData": data, "inputColorSpace": CGColorSpaceCreateDeviceRGB(),
            ])
        #expect(try swapped.colors() == [[TestColor(red: 230, green: 120, blue: 10), .blue]])
        for parameters: [String: Any] in [
            ["inputCubeDimension": 3, "inputCubeData": data], ["inputCubeDimension": 2, "inputCubeData": Data()],
            ["inputCubeDimension": 0, "inputCubeData": Data()], ["inputCubeDimension": 1e9, "inputCubeData": data],
        ] {
            let filter = CIFilter(name: "CIColorCube", parameters: parameters)
            filter?.setValue(source, forKey: kCIInputImageKey)
            #expect(filter?.outputImage == nil)
        }
    }

    @Test("The corners of squares are at the center") func pixellation() throws {
        let picture = try PixelBuffer.bgraNoise(40, 30)
        func pixellated(_ x: CGFloat, _ y: CGFloat, _ picture: PixelBuffer) throws -> [[TestColor]] {
            try CIImage(cvPixelBuffer: CVBuffer(picture)).applyingFilter(
                "CIPixellate", parameters: [kCIInputScaleKey: 8, kCIInputCenterKey: CIVector(x: x, y: y)]
            ).colors()
        }
        var request = ImageRequest()
        request.effects = [.pixellate(side: 8)]
        let expected = try ImageTransformer.transform(picture, request).colors
        // The top left corner of the image, and one that is several squares away.
        #expect(try pixellated(0, 30, picture) == expected)
        #expect(try pixellated(80, -34, picture) == expected)
        // Edges of squares at columns 3, 11, … and at rows 5, 13, … from the top.
        for format in [PixelFormat.bgra, .nv12] {
            let colors = try pixellated(11, 17, picture.converted(to: format))
            for y in 1..<30 { #expect((colors[y] == colors[y - 1]) == (y % 8 != 5), "\(y)") }
            for x in 1..<40 { #expect(colors.allSatisfy { $0[x] == $0[x - 1] } == (x % 8 != 3), "\(x)") }
        }
    }

    @Test("A scaling has a factor for the width") func lanczos() throws {
        let scaled = image(try .quarters(20, 10)).applyingFilter(
            "CILanczosScaleTransform", parameters: [kCIInputScaleKey: Float(0.5), kCIInputAspectRatioKey: CGFloat(2)])
        #expect(scaled.extent == CGRect(x: 0, y: 0, width: 20, height: 5))
        #expect(try scaled.colors().count == 5)
    }

    @Test("An image is blended over another one at its coordinates") func compositing() throws {
        let back = image(try .bgra(6, 4) { _, _ in .gray(100) })
        let logo = image(
            try .bgra(2, 1) { x, _ in x == 0 ? .red : TestColor(red: 200, green: 200, blue: 200, alpha: 51) })
        let result = logo.transformed(by: CGAffineTransform(translationX: 1, y: 1)).composited(over: back)
        #expect(result.extent == back.extent)
        var expected = [[TestColor]](repeating: [TestColor](repeating: .gray(100), count: 6), count: 4)
        expected[2][1] = .red
        expected[2][2] = .gray(120)
        #expect(try result.colors() == expected)
        let cut = logo.transformed(by: CGAffineTransform(translationX: -1, y: 3)).composited(over: back)
        expected = [[TestColor]](repeating: [TestColor](repeating: .gray(100), count: 6), count: 4)
        expected[0][0] = .gray(120)
        #expect(try cut.colors() == expected)
        let outside = logo.transformed(by: CGAffineTransform(translationX: 6, y: 0)).composited(over: back)
        #expect(try outside.colors() == back.colors())
        #expect(logo.composited(over: .empty()) === logo)
        let filter = try #require(CIFilter(name: "CISourceOverCompositing"))
        filter.setValue(logo, forKey: kCIInputImageKey)
        #expect(filter.outputImage == nil)
        filter.setValue(back, forKey: kCIInputBackgroundImageKey)
        #expect(try filter.outputImage?.colors()[3][0] == .red)
    }

    @Test("Filters after one another, with a part in between") func sequences() throws {
        let picture = try PixelBuffer.bgraNoise(32, 24)
        let result = image(picture).applyingFilter("CIColorInvert")
            .cropped(to: CGRect(x: 4, y: 4, width: 16, height: 12)).oriented(.left).applyingFilter("CISepiaTone")
        var first = ImageRequest()
        first.effects = [.invert]
        var second = ImageRequest()
        second.crop = PixelRect(x: 4, y: 8, width: 16, height: 12)
        second.orientation = .left
        second.effects = [.sepia]
        let expected = try ImageTransformer.transform(ImageTransformer.transform(picture, first), second)
        #expect(try result.colors() == expected.colors)
    }

    @Test("The filter for automatic improvement is Obscura's enhancement") func automatic() throws {
        let picture = try PixelBuffer.bgra(64, 48) { x, y in .gray(UInt8(60 + x + y)) }
        let filters = image(picture).autoAdjustmentFilters()
        let expected = try StillRecipe([.autoEnhance]).apply(to: picture).colors
        #expect(expected != picture.colors)
        var result = image(picture)
        for filter in filters {
            filter.setValue(result, forKey: kCIInputImageKey)
            result = try #require(filter.outputImage)
        }
        #expect(try result.colors() == expected)
        #expect(image(picture).autoAdjustmentFilters(options: [.enhance: false]).isEmpty)
        #expect(CIImage.empty().autoAdjustmentFilters().isEmpty)
    }
}
