// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

extension FilterDefinition {
    /// Filters for the correction of colors.
    static let colorAdjustments: [FilterDefinition] = [
        FilterDefinition(
            name: "CIColorControls", category: kCICategoryColorAdjustment,
            inputs: [
                .number(kCIInputSaturationKey, 1, 0...2), .number(kCIInputBrightnessKey, 0, -1...1),
                .number(kCIInputContrastKey, 1, 0.25...4),
            ]
        ) { values in
            guard let saturation = values.number(kCIInputSaturationKey),
                let brightness = values.number(kCIInputBrightnessKey),
                let contrast = values.number(kCIInputContrastKey)
            else { return nil }
            let enhancement = Enhancement(saturation: saturation, brightness: brightness, contrast: contrast)
            return { enhancement == .none ? $0 : $0.adding(.edit(.enhance(enhancement))) }
        },
        FilterDefinition(
            name: "CIColorMatrix", category: kCICategoryColorAdjustment,
            inputs: [
                .vector("inputRVector", [1, 0, 0, 0]), .vector("inputGVector", [0, 1, 0, 0]),
                .vector("inputBVector", [0, 0, 1, 0]), .vector("inputAVector", [0, 0, 0, 1]),
                .vector("inputBiasVector", [0, 0, 0, 0]),
            ]
        ) { values in
            guard let red = values.vector("inputRVector"), let green = values.vector("inputGVector"),
                let blue = values.vector("inputBVector"), let bias = values.vector("inputBiasVector"),
                // Alpha is not changed.
                values.vector("inputAVector") == SIMD4(0, 0, 0, 1)
            else { return nil }
            // The fourth factor is that of alpha, which is 1.
            let rows = [(red, bias.x), (green, bias.y), (blue, bias.z)].map { factors, bias in
                SIMD4<Float>(factors + SIMD4(0, 0, 0, bias))
            }
            let effect = ColorMatrixEffect(red: rows[0], green: rows[1], blue: rows[2]).effect
            return { $0.adding(.effect(effect)) }
        },
    ]
}

extension Enhancement {
    /// Creates the enhancement of `CIColorControls`: (color - 0.5) x contrast + 0.5 + brightness, and a mixture of each
    /// color and its luma.
    init(saturation: Double, brightness: Double, contrast: Double) {
        self.init()
        self.saturation = saturation
        // A contrast of 0 is approximated: levels have no factor of 0.
        let contrast = max(contrast, 1.0 / 1024)
        guard contrast != 1 || brightness != 0 else { return }
        black = 0.5 - (0.5 + brightness) / contrast
        white = black + 1 / contrast
    }
}
