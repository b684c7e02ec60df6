// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#if Vision

internal import COpenCV
internal import ObscuraMedia

/// A cascade of stumps, with which we search ourselves; owns one `OCVStumps`.
///
/// `Sendable` is proved by the C object: it never changes after it was read.
final class StumpCascade: @unchecked Sendable {
    private let stumps: OpaquePointer
    private let variant: Variant

    /// Which instructions a search uses.
    enum Variant: Sendable, CaseIterable {
        /// What every machine of the architecture has: SSE2 or NEON.
        case baseline
        /// AVX2 where the machine has it, else the baseline.
        case best
    }

    /// The sides of the window that the cascade looks through.
    let window: PixelSize

    /// How many windows of a band are handed out.
    private static let most = 4096

    /// Nil if the file holds another kind of cascade.
    init?(path: String, variant: Variant = .best) {
        guard let stumps = OpenCVWords.with({ OCVStumpsOpen(path, $0) }).0 else { return nil }
        self.stumps = stumps
        self.variant = variant
        window = PixelSize(width: Int(OCVStumpsWidth(stumps)), height: Int(OCVStumpsHeight(stumps)))
    }

    deinit {
        OCVStumpsClose(stumps)
    }

    /// The windows of a band that all stages let pass, in pixels of the picture.
    ///
    /// - Precondition: the band lies in its level, and that is one of a picture of such a size.
    func scan(_ band: ScanBand, of picture: GrayPicture, with scratch: ScanScratch) throws(ObscuraError) -> [PixelRect]
    {
        var found = [OCVRect](repeating: OCVRect(), count: Self.most)
        let count = picture.withPicture { picture in
            OCVStumpsScan(
                stumps, scratch.scratch, picture, OCVBand(band), variant == .best ? OCVBestVariant() : .baseline,
                &found, Int32(found.count))
        }
        guard count >= 0 else { throw .searchFailed(count == -1 ? "there is no memory" : "no such band") }
        return found.prefix(Int(count)).map { band.level.rect(x: Int($0.x), y: Int($0.y)) }
    }
}

/// Memory that a scan uses and the next one uses again; owns one `OCVScratch`.
///
/// `Sendable` is proved by ``PyramidScanner``, which gives it to one thread at a time.
final class ScanScratch: @unchecked Sendable {
    fileprivate let scratch: OpaquePointer

    init() throws(ObscuraError) {
        guard let scratch = OCVScratchMake() else { throw .searchFailed("there is no memory") }
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

#endif
