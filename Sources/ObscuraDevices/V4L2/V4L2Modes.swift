// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// A mode of a V4L2 camera.
struct V4L2Mode: Sendable, Hashable {
    let layout: V4L2Layout
    let format: VideoFormat
}

/// The modes of a node, as a list for users and presets.
///
/// For a driver with a range of sizes or rates, the list has the common ones in the range, and its ends.
struct V4L2Modes: Sendable {
    /// All modes, in the order of the driver's formats and sizes; rates descending.
    let all: [V4L2Mode]
    /// Whether the modes do not change: not those that the writer of a loopback device or the signal of a grabber sets.
    let areFixed: Bool
    /// The layouts with a range of sizes.
    private let ranges: [(layout: V4L2Layout, minimum: PixelSize, maximum: PixelSize, step: PixelSize)]

    init(of device: V4L2Device) {
        var modes: [V4L2Mode] = []
        var ranges: [(layout: V4L2Layout, minimum: PixelSize, maximum: PixelSize, step: PixelSize)] = []
        var areFixed = !device.capabilities.isFed
        let offered = Set(device.fourCCs)
        for layout in V4L2Layout.known where offered.contains(layout.fourCC) {
            // The same pixel format in another layout is not listed again.
            if modes.contains(where: { $0.format.pixelFormat == layout.pixelFormat }) { continue }
            let sizes: [PixelSize]
            switch device.sizes(of: layout.fourCC) {
            case .discrete(let list): sizes = list
            case .stepwise(let minimum, let maximum, let step):
                sizes = UsualModes.sizes(from: minimum, to: maximum, step: step)
                ranges.append((layout, minimum, maximum, step))
            case .unknown:
                sizes = device.currentPicture.map { [$0.size] } ?? []
                areFixed = false
            }
            var seen: Set<VideoFormat> = []
            for size in sizes where (1...32768).contains(size.width) && (1...32768).contains(size.height) {
                for rate in Self.rates(device, layout, size) {
                    let format = VideoFormat(
                        pixelFormat: layout.pixelFormat, width: size.width, height: size.height, frameRate: rate)
                    if seen.insert(format).inserted { modes.append(V4L2Mode(layout: layout, format: format)) }
                }
            }
        }
        all = modes
        self.ranges = ranges
        self.areFixed = areFixed && !modes.isEmpty
    }

    /// Returns the mode for a format that is listed or within a range of the driver; otherwise nil.
    func mode(for format: VideoFormat) -> V4L2Mode? {
        if let mode = all.first(where: { $0.format == format }) { return mode }
        // The driver determines the rate.
        let range = ranges.first { range in
            range.layout.pixelFormat == format.pixelFormat
                && UsualModes.holds(format.width, range.minimum.width, range.maximum.width, range.step.width)
                && UsualModes.holds(format.height, range.minimum.height, range.maximum.height, range.step.height)
        }
        return range.map { V4L2Mode(layout: $0.layout, format: format) }
    }

    // MARK: Ranges

    private static func rates(_ device: V4L2Device, _ layout: V4L2Layout, _ size: PixelSize) -> [FrameRate?] {
        let rates: [FrameRate]
        switch device.intervals(of: layout.fourCC, size: size) {
        case .discrete(let list): rates = list.compactMap(\.frameRate)
        case .stepwise(let minimum, let maximum, _): rates = UsualModes.rates(shortest: minimum, longest: maximum)
        case .unknown: rates = device.currentInterval?.frameRate.map { [$0] } ?? []
        }
        return rates.isEmpty ? [nil] : rates.sorted { $0.framesPerSecond > $1.framesPerSecond }
    }
}
