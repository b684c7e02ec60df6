// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
public import ObscuraMedia

extension Enhancement {
    /// Computes an enhancement from the pixels of a photo.
    ///
    /// - White balance: computed from the average sixth power of each channel, a compromise between the gray-world and
    ///   the white-patch assumption (G. Finlayson and E. Trezzi, "Shades of gray and colour constancy", 2004). Each
    ///   gain is 0.75 to 1.25.
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
        guard pixels.luma.spread >= 8.0 / 255 else { return enhancement }
        enhancement.gains = pixels.grayGains
        var judged = pixels.with(enhancement)
        // Keeps at least half of the range between the two.
        enhancement.black = min(judged.luma.quantile(0.005), 0.25)
        enhancement.white = max(judged.luma.quantile(0.995), max(0.75, enhancement.black + 0.5))
        judged = pixels.with(enhancement)
        enhancement.shadows = min(max(0, (0.4 - judged.luma.quantile(0.5)) * 2), 0.8)
        let strength = judged.meanSaturation
        if strength > 0.02 { enhancement.saturation = 1 + min(max(0, 0.25 - strength), 0.25) }
        return enhancement
    }
}

/// The analyzed pixels: red, green and blue from 0 to 1.
private struct Pixels {
    private let values: [SIMD3<Float>]

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

    var luma: Lumas { Lumas(values.map(Self.luma)) }

    private static func luma(_ value: SIMD3<Float>) -> Float {
        (value * SIMD3(0.2126, 0.7152, 0.0722)).sum()
    }

    var meanSaturation: Double {
        let sum = values.reduce(Float(0)) { $0 + $1.max() - $1.min() }
        return Double(sum) / Double(max(1, values.count))
    }

    /// The gains that make the estimated light gray.
    var grayGains: Enhancement.Gains {
        // Clipped pixels do not represent their color.
        let sound = values.filter { $0.max() < 0.98 && $0.max() > 0.03 }
        guard !sound.isEmpty else { return Enhancement.Gains() }
        let sums = sound.reduce(SIMD3<Double>.zero) { sums, value in
            let square = SIMD3<Double>(value * value)
            return sums + square * square * square
        }
        let light = SIMD3(
            pow(sums.x / Double(sound.count), 1.0 / 6), pow(sums.y / Double(sound.count), 1.0 / 6),
            pow(sums.z / Double(sound.count), 1.0 / 6))
        guard light.min() > 0.01 else { return Enhancement.Gains() }
        // Normalized, so that the luma of that light is kept.
        let mean = (light * SIMD3(0.2126, 0.7152, 0.0722)).sum()
        let gains = (mean / light).clamped(lowerBound: SIMD3(repeating: 0.75), upperBound: SIMD3(repeating: 1.25))
        return Enhancement.Gains(red: gains.x, green: gains.y, blue: gains.z)
    }
}

/// The sorted lumas of a picture.
private struct Lumas {
    private let sorted: [Float]

    init(_ values: [Float]) { sorted = values.sorted() }

    var spread: Double { quantile(0.995) - quantile(0.005) }

    func quantile(_ share: Double) -> Double {
        guard !sorted.isEmpty else { return 0 }
        return Double(sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))])
    }
}
