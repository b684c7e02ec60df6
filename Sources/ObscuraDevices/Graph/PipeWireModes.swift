// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// A mode of a camera of PipeWire.
struct PipeWireMode: Sendable, Hashable {
    let layout: PipeWireLayout
    let format: VideoFormat
    /// Whether the mode must be requested with a DRM modifier.
    let needsModifier: Bool
}

/// The modes of a node, as a list for users and presets. A range of sizes or rates is listed by its common values.
struct PipeWireModes: Sendable {
    /// All modes, in the order of the supported formats and of the node's sizes; rates descending.
    let all: [PipeWireMode]
    private let ranges: [(layout: PipeWireLayout, offer: PipeWireOffer)]

    init(_ offers: [PipeWireOffer]) {
        var modes: [PipeWireMode] = []
        var ranges: [(layout: PipeWireLayout, offer: PipeWireOffer)] = []
        for layout in PipeWireLayout.known {
            // The same pixel format in another layout is not listed again.
            if modes.contains(where: { $0.format.pixelFormat == layout.pixelFormat }) { continue }
            var seen: Set<VideoFormat> = []
            let matching = offers.filter { $0.subtype == layout.subtype && $0.format == layout.format }
            // A format that is offered both ways needs no modifier.
            for offer in matching.filter({ !$0.needsModifier }) + matching.filter(\.needsModifier) {
                if offer.smallest != offer.largest { ranges.append((layout, offer)) }
                for format in Self.formats(layout, offer) where seen.insert(format).inserted {
                    modes.append(PipeWireMode(layout: layout, format: format, needsModifier: offer.needsModifier))
                }
            }
        }
        all = modes
        self.ranges = ranges
    }

    /// Returns the mode for a format that is listed or within a range of the node; otherwise nil.
    func mode(for format: VideoFormat) -> PipeWireMode? {
        if let mode = all.first(where: { $0.format == format }) { return mode }
        let range = ranges.first { layout, offer in
            layout.pixelFormat == format.pixelFormat
                && UsualModes.holds(format.width, offer.smallest.width, offer.largest.width, offer.step.width)
                && UsualModes.holds(format.height, offer.smallest.height, offer.largest.height, offer.step.height)
        }
        return range.map { PipeWireMode(layout: $0.layout, format: format, needsModifier: $0.offer.needsModifier) }
    }

    private static func formats(_ layout: PipeWireLayout, _ offer: PipeWireOffer) -> [VideoFormat] {
        let sizes =
            offer.smallest == offer.largest
            ? [offer.smallest] : UsualModes.sizes(from: offer.smallest, to: offer.largest, step: offer.step)
        // The smallest size of a range that begins at one pixel is of no use.
        let least = offer.smallest == offer.largest ? 1 : 16
        return sizes.filter { (least...32768).contains($0.width) && (least...32768).contains($0.height) }.flatMap {
            size in
            rates(offer).map { rate in
                VideoFormat(
                    pixelFormat: layout.pixelFormat, width: size.width, height: size.height, frameRate: rate)
            }
        }
    }

    private static func rates(_ offer: PipeWireOffer) -> [FrameRate?] {
        let rates: [FrameRate]
        if offer.hasRateRange, let longest = offer.intervals.first, let shortest = offer.intervals.last {
            // A rate of 0 frames per second has no interval, and stands for any low rate.
            let slowest = longest.isUsable ? longest : FrameInterval(numerator: 1_000_000, denominator: 1)
            rates = UsualModes.rates(shortest: shortest, longest: slowest)
        } else {
            rates = offer.intervals.compactMap(\.frameRate)
        }
        return rates.isEmpty ? [nil] : rates.sorted { $0.framesPerSecond > $1.framesPerSecond }
    }
}
