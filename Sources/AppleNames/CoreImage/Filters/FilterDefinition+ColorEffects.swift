// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

extension FilterDefinition {
    /// Filters with a fixed style.
    static let colorEffects: [FilterDefinition] = [
        FilterDefinition(
            name: "CISepiaTone", category: kCICategoryColorEffect, inputs: [.number(kCIInputIntensityKey, 1, 0...1)]
        ) { values in
            guard let intensity = values.number(kCIInputIntensityKey) else { return nil }
            if intensity == 1 { return { $0.adding(.effect(.sepia)) } }
            return mixture(.sepia, intensity)
        },
        FilterDefinition(
            name: "CIColorMonochrome", category: kCICategoryColorEffect,
            inputs: [
                FilterInput(key: kCIInputColorKey, kind: .color(CIColor(red: 0.6, green: 0.45, blue: 0.3))),
                .number(kCIInputIntensityKey, 1, 0...1),
            ]
        ) { values in
            guard let color = values.color(kCIInputColorKey).map({ SIMD4<Float>($0) }),
                let intensity = values.number(kCIInputIntensityKey)
            else { return nil }
            let luma = ColorMatrixEffect.luma
            return mixture(
                ColorMatrixEffect(red: luma * color.x, green: luma * color.y, blue: luma * color.z), intensity)
        },
        FilterDefinition(name: "CIPhotoEffectMono", category: kCICategoryColorEffect) { _ in
            { $0.adding(.effect(.mono)) }
        },
        FilterDefinition(name: "CIPhotoEffectTonal", category: kCICategoryColorEffect) { _ in
            { $0.adding(.effect(.mono)) }
        },
        FilterDefinition(name: "CIPhotoEffectNoir", category: kCICategoryColorEffect) { _ in
            let enhancement = Enhancement(saturation: 0, brightness: 0, contrast: 1.25)
            return { $0.adding(.edit(.enhance(enhancement))) }
        },
        FilterDefinition(name: "CIColorInvert", category: kCICategoryColorEffect) { _ in
            { $0.adding(.effect(.invert)) }
        },
    ]

    /// Returns the operation that mixes a mapping of colors with the image; without a share of it, nothing changes.
    private static func mixture(_ matrix: ColorMatrixEffect, _ share: Double) -> Operation {
        guard share != 0 else { return { $0 } }
        let effect = matrix.mixed(Float(share)).effect
        return { $0.adding(.effect(effect)) }
    }
}
