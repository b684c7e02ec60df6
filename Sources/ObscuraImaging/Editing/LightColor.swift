// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc

/// The color of the light in a photo that has a cast.
///
/// Cameras balance their photos, and most colors of a photo are those of its subjects: a warm scene is no warm light. So a
/// cast is assumed only if all of this holds:
///
/// - One color near gray is frequent, and has that color in dark and in bright places. A single surface does not.
/// - It is the color of the brightest pixels, which are likely to be white objects or reflections of the light; or nearly all
///   pixels have it.
/// - Hardly any pixel is gray already.
///
/// The limits were chosen with 45 photos, each of which was also given six casts; see `Benchmarks/enhance`.
struct LightColor {
    /// The logarithms of red / green and blue / green.
    private typealias Chroma = SIMD2<Float>

    /// The pixels that are neither clipped nor too dark for a ratio.
    private let chromas: [Chroma]
    private let lumas: [Float]

    /// The chroma up to which a color can be that of light.
    private static let strongest: Float = 0.36
    /// A color of less chroma counts as gray, and two colors that differ by less count as the same.
    private static let tolerance: Float = 0.05
    /// The radius of a cluster of pixels of the same color.
    private static let radius: Float = 0.06
    private static let smallestShare = 0.04
    private static let smallestSpread: Float = 0.25
    private static let brightest: Float = 0.8

    /// Creates an estimator.
    ///
    /// - Parameter pixels: red, green and blue, from 0 to 1.
    init(_ pixels: [SIMD3<Float>]) {
        let sound = pixels.filter { $0.max() < 0.98 && $0.min() > 0.04 }
        // Of too few pixels nothing can be said.
        let used = sound.count * 50 < pixels.count ? [] : sound
        chromas = used.map { Chroma(logf($0.x / $0.y), logf($0.z / $0.y)) }
        lumas = used.map(Self.luma)
    }

    static func luma(_ value: SIMD3<Float>) -> Float { (value * SIMD3(0.2126, 0.7152, 0.0722)).sum() }

    /// The gains that make the light gray and keep its luma, each 0.75 to 1.25; nil if the photo shows no cast.
    var gains: Enhancement.Gains? {
        guard let color = cast else { return nil }
        let light = SIMD3<Float>(expf(color.x), 1, expf(color.y))
        let gains = (Self.luma(light) / light).clamped(
            lowerBound: SIMD3(repeating: 0.75), upperBound: SIMD3(repeating: 1.25))
        return Enhancement.Gains(red: Double(gains.x), green: Double(gains.y), blue: Double(gains.z))
    }

    private var cast: Chroma? {
        guard !chromas.isEmpty, let color = mostFrequent, Self.length(color) >= 0.04 else { return nil }
        let members = zip(chromas, lumas).filter { Self.length($0.0 - color) < Self.radius }.map(\.1)
        let share = Double(members.count) / Double(chromas.count)
        guard share >= Self.smallestShare, Distribution(members).spread(without: 0.05) >= Self.smallestSpread else {
            return nil
        }
        let grayCount = chromas.count { Self.length($0) < Self.tolerance }
        guard grayCount * 5 <= members.count else { return nil }
        return share > 0.9 || isOfHighlights(color) ? color : nil
    }

    /// The center of the most frequent color that can be that of light.
    private var mostFrequent: Chroma? {
        let (step, reach): (Float, Int) = (0.02, 25)
        let side = 2 * reach + 1
        var counts = [Int](repeating: 0, count: side * side)
        for chroma in chromas {
            let place = (chroma / step).rounded(.toNearestOrEven)
            guard Swift.abs(place.x) <= Float(reach), Swift.abs(place.y) <= Float(reach) else { continue }
            counts[(Int(place.x) + reach) * side + Int(place.y) + reach] += 1
        }
        let limit = Int((Self.strongest / step).rounded())
        var best = (count: 0, center: Chroma())
        for x in -limit...limit {
            for y in -limit...limit where x * x + y * y <= limit * limit {
                var count = 0
                for (dx, dy) in Self.disc { count += counts[(x + dx + reach) * side + y + dy + reach] }
                if count > best.count { best = (count, Chroma(Float(x), Float(y)) * step) }
            }
        }
        guard best.count > 0 else { return nil }
        var center = best.center
        for _ in 0..<2 {
            let near = chromas.filter { Self.length($0 - center) < Self.radius }
            center = near.reduce(Chroma(), +) / Float(max(1, near.count))
        }
        return center
    }

    /// The offsets of the bins that are counted together, of a radius of two bins.
    private static let disc: [(Int, Int)] = (-2...2).flatMap { x in
        (-2...2).filter { x * x + $0 * $0 <= 5 }.map { (x, $0) }
    }

    /// Whether the brightest 2 % of the pixels are bright and have this color.
    private func isOfHighlights(_ color: Chroma) -> Bool {
        let limit = Distribution(lumas).quantile(0.98)
        let indices = lumas.indices.filter { lumas[$0] >= limit }
        func median(_ values: [Float]) -> Float { Distribution(values).quantile(0.5) }
        let highlight = Chroma(median(indices.map { chromas[$0].x }), median(indices.map { chromas[$0].y }))
        return Self.length(highlight - color) < Self.tolerance && median(indices.map { lumas[$0] }) >= Self.brightest
    }

    private static func length(_ chroma: Chroma) -> Float { (chroma * chroma).sum().squareRoot() }
}
