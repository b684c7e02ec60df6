// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CPixelKernels
package import ObscuraMedia

/// The arithmetic of effects for the instruction sets of this machine, in bands on idle cores.
///
/// Source and target have the same format and size. Functions for certain formats rely on their callers to check them.
///
/// `Sendable` is proved by the kernels: the functions of a table keep no state.
package struct EffectKernels: @unchecked Sendable {
    let table: PKEffects

    /// Creates the kernels for `variant`; nil if this machine cannot run them.
    package init?(_ variant: PixelKernels.Variant) {
        guard let table = PKEffectsOf(variant.inC) else { return nil }
        self.table = table.pointee
    }

    private init(table: PKEffects) {
        self.table = table
    }

    /// The fastest kernels that this machine can run.
    package static let best = EffectKernels(table: PKBestEffects().pointee)

    // MARK: Bytes and pixels

    /// Applies an operation to each plane, in order.
    package func apply(_ work: [PlaneWork], to source: PixelBuffer, into target: inout PixelBuffer) throws {
        let isBlueFirst = source.format.isBlueFirst
        try source.withRows(&target) { planes in
            for (work, (from, to)) in zip(work, planes) {
                let weights = work.weights(isBlueFirst: isBlueFirst)
                from.forEachBand { band in
                    apply(work, weights, from.row(band.lowerBound), from, to.row(band.lowerBound), to, band.count)
                }
            }
        }
    }

    private func apply(
        _ work: PlaneWork, _ weights: [PKWeights], _ source: UnsafePointer<UInt8>, _ from: PlaneRows,
        _ target: UnsafeMutablePointer<UInt8>, _ to: PlaneRows, _ count: Int
    ) {
        switch work {
        case .copy:
            for row in 0..<count {
                (target + row * to.stride).update(from: source + row * from.stride, count: from.byteCount)
            }
        case .mask(let kept, let flipped):
            table.mask(source, from.stride, target, to.stride, from.byteCount, count, kept, flipped)
        case .reflect(let highest, let lowest):
            table.reflect(source, from.stride, target, to.stride, from.byteCount, count, highest, lowest)
        case .combine:
            table.combine(source, from.stride, target, to.stride, from.byteCount / 4, count, weights)
        }
    }
}

/// An operation on each byte or pixel of a plane.
package enum PlaneWork: Sendable, Hashable {
    case copy
    /// Replaces each byte by (byte & kept) ^ flipped. The four bytes of `kept` and `flipped`, the lowest first, apply
    /// to each group of four bytes in a row.
    case mask(kept: UInt32, flipped: UInt32)
    /// Replaces each byte by highest - (byte - lowest), with both differences clipped at 0. The four bytes of `highest`
    /// and `lowest`, the lowest first, apply to each group of four bytes in a row.
    case reflect(highest: UInt32, lowest: UInt32)
    /// Replaces red, green and blue of BGRA or RGBA pixels by weighted sums of the three. Weights must be below 1.
    case combine(red: SIMD3<Double>, green: SIMD3<Double>, blue: SIMD3<Double>)

    fileprivate func weights(isBlueFirst: Bool) -> [PKWeights] {
        guard case .combine(let red, let green, let blue) = self else { return [] }
        return (isBlueFirst ? [blue, green, red] : [red, green, blue]).map {
            PKWeights(SIMD4($0, 0), isBlueFirst: isBlueFirst)
        }
    }
}
