// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

extension Enhancement {
    /// Computes an enhancement from the pixels of a photo.
    ///
    /// - White balance: only if the photo clearly has a color cast. A color cast means that the highlights and many
    ///   other pixels of different brightness have the same pale color, and hardly any pixel is gray. Each gain is 0.75
    ///   to 1.25. A photo of warm subjects is not changed.
    /// - Levels: the darkest and brightest 0.5 % of the pixels become black and white (N. Limare et al., "Simplest
    ///   color balance", 2011), but the contrast is at most doubled.
    /// - Shadows: dark parts are brightened if the median luma is low.
    /// - Saturation: the saturation of pale colors is increased by up to 25 %; gray pictures remain gray.
    ///
    /// A picture of one color is unchanged. The analysis uses at most 256x256 pixels.
    ///
    /// - Throws: as ``ImageTransformer/transform(_:_:in:context:)``.
    public static func automatic(for picture: PixelBuffer) throws -> Enhancement {
        var request = ImageRequest(pixelFormat: .bgra)
        if picture.width > 256 || picture.height > 256 {
            request.size = PixelSize(width: 256, height: 256)
            request.fit = .aspect
        }
        return automatic(of: Pixels(try ImageTransformer.transform(picture, request)))
    }

    private static func automatic(of pixels: Pixels) -> Enhancement {
        var enhancement = Enhancement()
        guard pixels.lumas.spread(without: 0.005) >= 8.0 / 255 else { return enhancement }
        enhancement.gains = LightColor(pixels.values).gains ?? Enhancement.Gains()
        let lumas = pixels.with(enhancement).lumas
        // Keeps at least half of the range between the two.
        enhancement.black = min(Double(lumas.quantile(0.005)), 0.25)
        enhancement.white = max(Double(lumas.quantile(0.995)), max(0.75, enhancement.black + 0.5))
        let judged = pixels.with(enhancement)
        enhancement.shadows = min(max(0, (0.4 - Double(judged.lumas.quantile(0.5))) * 2), 0.8)
        let strength = judged.meanSaturation
        if strength > 0.02 { enhancement.saturation = 1 + min(max(0, 0.25 - strength), 0.25) }
        return enhancement
    }
}

/// The analyzed pixels: red, green and blue from 0 to 1.
private struct Pixels {
    let values: [SIMD3<Float>]

    private init(values: [SIMD3<Float>]) { self.values = values }

    init(_ picture: PixelBuffer) {
        let bytes = picture.packedBytes()
        values = stride(from: 0, to: bytes.count, by: 4).map { place in
            let pixel: SIMD3<Float> = SIMD3(Float(bytes[place + 2]), Float(bytes[place + 1]), Float(bytes[place]))
            return pixel / 255
        }
    }

    func with(_ enhancement: Enhancement) -> Pixels {
        let gains = SIMD3(
            Float(enhancement.gains.red), Float(enhancement.gains.green), Float(enhancement.gains.blue))
        let (black, span) = (Float(enhancement.black), Float(enhancement.white - enhancement.black))
        return Pixels(
            values: values.map { value in
                ((value * gains - black) / span).clamped(lowerBound: .zero, upperBound: .one)
            })
    }

    var lumas: Distribution { Distribution(values.lazy.map(LightColor.luma)) }

    var meanSaturation: Double {
        let sum = values.reduce(Float(0)) { $0 + $1.max() - $1.min() }
        return Double(sum) / Double(max(1, values.count))
    }
}
