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
    /// The layouts with a range of sizes.
    private let ranges: [(layout: V4L2Layout, minimum: PixelSize, maximum: PixelSize, step: PixelSize)]

    init(of device: V4L2Device) {
        var modes: [V4L2Mode] = []
        var ranges: [(layout: V4L2Layout, minimum: PixelSize, maximum: PixelSize, step: PixelSize)] = []
        let offered = Set(device.fourCCs)
        for layout in V4L2Layout.known where offered.contains(layout.fourCC) {
            // The same pixel format in another layout is not listed again.
            if modes.contains(where: { $0.format.pixelFormat == layout.pixelFormat }) { continue }
            let sizes: [PixelSize]
            switch device.sizes(of: layout.fourCC) {
            case .discrete(let list): sizes = list
            case .stepwise(let minimum, let maximum, let step):
                sizes = Self.usualSizes(from: minimum, to: maximum, step: step)
                ranges.append((layout, minimum, maximum, step))
            case .unknown: sizes = device.currentPicture.map { [$0.size] } ?? []
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
    }

    /// Returns the mode for a format that is listed or within a range of the driver; otherwise nil.
    func mode(for format: VideoFormat) -> V4L2Mode? {
        if let mode = all.first(where: { $0.format == format }) { return mode }
        // The driver determines the rate.
        let range = ranges.first { range in
            range.layout.pixelFormat == format.pixelFormat
                && Self.holds(format.width, range.minimum.width, range.maximum.width, range.step.width)
                && Self.holds(format.height, range.minimum.height, range.maximum.height, range.step.height)
        }
        return range.map { V4L2Mode(layout: $0.layout, format: format) }
    }

    // MARK: Ranges

    private static let commonSizes = [
        (160, 120), (176, 144), (320, 180), (320, 240), (352, 288), (424, 240), (640, 360), (640, 480), (800, 600),
        (848, 480), (960, 540), (1024, 768), (1280, 720), (1280, 800), (1280, 960), (1600, 1200), (1920, 1080),
        (2560, 1440), (2592, 1944), (3840, 2160),
    ]
    private static let commonRates: [Int32] = [120, 90, 60, 50, 30, 25, 20, 15, 10, 5]

    static func usualSizes(from minimum: PixelSize, to maximum: PixelSize, step: PixelSize) -> [PixelSize] {
        let usual = commonSizes.map { PixelSize(width: $0.0, height: $0.1) }.filter { size in
            holds(size.width, minimum.width, maximum.width, step.width)
                && holds(size.height, minimum.height, maximum.height, step.height)
        }
        return (usual + [minimum, maximum]).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
            .sorted { $0.width * $0.height < $1.width * $1.height }
    }

    private static func holds(_ value: Int, _ minimum: Int, _ maximum: Int, _ step: Int) -> Bool {
        value >= minimum && value <= maximum && (value - minimum) % max(1, step) == 0
    }

    private static func rates(_ device: V4L2Device, _ layout: V4L2Layout, _ size: PixelSize) -> [FrameRate?] {
        let rates: [FrameRate]
        switch device.intervals(of: layout.fourCC, size: size) {
        case .discrete(let list): rates = list.compactMap(\.frameRate)
        case .stepwise(let minimum, let maximum, _): rates = usualRates(shortest: minimum, longest: maximum)
        case .unknown: rates = device.currentInterval?.frameRate.map { [$0] } ?? []
        }
        return rates.isEmpty ? [nil] : rates.sorted { $0.framesPerSecond > $1.framesPerSecond }
    }

    /// Returns the common rates between the shortest and the longest interval, and the ends if they are plausible.
    static func usualRates(shortest: V4L2Interval, longest: V4L2Interval) -> [FrameRate] {
        guard let fastest = shortest.frameRate, let slowest = longest.frameRate else { return [] }
        let within = fastest.framesPerSecond >= slowest.framesPerSecond
        let usual = commonRates.map { FrameRate($0) }.filter {
            within && $0.framesPerSecond <= fastest.framesPerSecond && $0.framesPerSecond >= slowest.framesPerSecond
        }
        // An extreme end, such as 1 ns, means "any".
        let ends = [fastest, slowest].filter { (1...1000).contains($0.framesPerSecond) }
        return (usual + ends).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}
