// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

extension FilterDefinition {
    /// Filters of squares, of sizes, and of two images.
    static let others: [FilterDefinition] = [
        FilterDefinition(
            name: "CIPixellate", category: kCICategoryStylize,
            inputs: [.vector(kCIInputCenterKey, [150, 150]), .number(kCIInputScaleKey, 8, 1...100)]
        ) { values in
            guard let center = values.vector(kCIInputCenterKey), let scale = values.number(kCIInputScaleKey),
                scale >= 0
            else { return nil }
            let side = Int(min(scale.rounded(), 65536))
            guard side > 1 else { return { $0 } }
            return { image in image.pixellated(side: side, corner: center) }
        },
        FilterDefinition(
            name: "CILanczosScaleTransform", category: kCICategoryGeometryAdjustment,
            inputs: [.number(kCIInputScaleKey, 1, 0.05...1.5), .number(kCIInputAspectRatioKey, 1, 0.05...2.5)]
        ) { values in
            guard let scale = values.number(kCIInputScaleKey), let ratio = values.number(kCIInputAspectRatioKey),
                scale > 0, ratio > 0
            else { return nil }
            let transform = CGAffineTransform(scaleX: CGFloat(scale * ratio), y: CGFloat(scale))
            return { $0.transformed(by: transform) }
        },
        FilterDefinition(
            name: "CISourceOverCompositing", category: kCICategoryCompositeOperation,
            inputs: [FilterInput(key: kCIInputBackgroundImageKey, kind: .image)]
        ) { values in
            guard let background = values.image(kCIInputBackgroundImageKey) else { return nil }
            return { $0.composited(over: background) }
        },
    ]
}

extension CIImage {
    /// Returns the image in squares of one color each; a corner of squares is at a point.
    fileprivate func pixellated(side: Int, corner: SIMD4<Double>) -> CIImage? {
        guard let area else { return self }
        // The squares at the left and top edges may be smaller.
        let left = Self.remainder(of: corner.x - Double(area.x), side)
        let top = Self.remainder(of: Double(area.y + area.height) - corner.y, side)
        guard left > 0 || top > 0 else { return adding(.effect(.pixellate(side: side))) }
        let (width, height) = (area.width - left, area.height - top)
        let parts = [
            PixelRect(x: 0, y: 0, width: left, height: top), PixelRect(x: left, y: 0, width: width, height: top),
            PixelRect(x: 0, y: top, width: left, height: height),
            PixelRect(x: left, y: top, width: width, height: height),
        ]
        // In YUV, neighboring parts could share chroma.
        return adding(.effect(.mosaic(side: side) { _ in parts }, isForRGB: true))
    }

    private static func remainder(of distance: Double, _ side: Int) -> Int {
        let rest = Int(distance.rounded().truncatingRemainder(dividingBy: Double(side)))
        return rest < 0 ? rest + side : rest
    }
}
