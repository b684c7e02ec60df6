// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import COpenCV
internal import ObscuraMedia

/// A cascade of stumps for the fast search; owns one `OCVStumps`.
///
/// `Sendable` is proved by the C object, which is constant after it was read.
final class StumpCascade: @unchecked Sendable {
    private let functions: OCVFunctions
    private let stumps: OpaquePointer
    private let variant: Variant

    /// The instruction set of a search.
    enum Variant: Sendable, CaseIterable {
        /// The instruction set that every machine of the architecture supports: SSE2 or NEON.
        case baseline
        /// AVX2 if the machine supports AVX2, otherwise the baseline.
        case best
    }

    /// The size of the cascade's window.
    let window: PixelSize

    /// Maximum number of windows per band.
    private static let limit = 4096

    /// Returns nil for another kind of cascade.
    init?(path: String, variant: Variant = .best) throws(ObscuraError) {
        functions = try OpenCV.functions()
        guard let stumps = OpenCVMessage.with({ [functions] in functions.openStumps(path, $0) }).0 else { return nil }
        self.stumps = stumps
        self.variant = variant
        window = PixelSize(width: Int(OCVStumpsWidth(stumps)), height: Int(OCVStumpsHeight(stumps)))
    }

    deinit {
        functions.closeStumps(stumps)
    }

    /// Returns the windows of a band that pass all stages, in pixels of the picture.
    ///
    /// - Precondition: the band is inside its level, which belongs to a picture of this size.
    func scan(_ band: ScanBand, of picture: GrayPicture, with scratch: ScanScratch) throws(ObscuraError) -> [PixelRect]
    {
        var found = [OCVRect](repeating: OCVRect(), count: Self.limit)
        let count = picture.withPicture { picture in
            OCVStumpsScan(
                stumps, scratch.scratch, picture, OCVBand(band), variant == .best ? OCVBestVariant() : .baseline,
                &found, Int32(found.count))
        }
        guard count >= 0 else { throw .searchFailed(count == -1 ? "no memory is left" : "no such band") }
        return found.prefix(Int(count)).map { band.level.rect(x: Int($0.x), y: Int($0.y)) }
    }
}

/// Reusable memory of a scan; owns one `OCVScratch`.
///
/// `Sendable` is proved by ``PyramidScanner``, which lends it to one thread at a time.
final class ScanScratch: @unchecked Sendable {
    fileprivate let scratch: OpaquePointer

    init() throws(ObscuraError) {
        guard let scratch = OCVScratchMake() else { throw .searchFailed("no memory is left") }
        self.scratch = scratch
    }

    deinit {
        OCVScratchFree(scratch)
    }
}

extension OCVBand {
    fileprivate init(_ band: ScanBand) {
        self.init(
            levelWidth: Int32(band.level.size.width), levelHeight: Int32(band.level.size.height),
            left: Int32(band.columns.lowerBound), top: Int32(band.rows.lowerBound),
            right: Int32(band.columns.upperBound), bottom: Int32(band.rows.upperBound), step: Int32(band.level.step),
            lead: Int32(band.lead))
    }
}
