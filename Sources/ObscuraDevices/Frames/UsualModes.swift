// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// The sizes and rates that are listed for a camera with a range of them: the common ones in the range, and its ends.
enum UsualModes {
    private static let commonSizes = [
        (160, 120), (176, 144), (320, 180), (320, 240), (352, 288), (424, 240), (640, 360), (640, 480), (800, 600),
        (848, 480), (960, 540), (1024, 768), (1280, 720), (1280, 800), (1280, 960), (1600, 1200), (1920, 1080),
        (2560, 1440), (2592, 1944), (3840, 2160),
    ]
    /// The largest width or height of a listed size. A driver may name any number as the end of its range.
    private static let largestSide = 32768
    private static let commonRates: [Int32] = [120, 90, 60, 50, 30, 25, 20, 15, 10, 5]

    static func sizes(from minimum: PixelSize, to maximum: PixelSize, step: PixelSize) -> [PixelSize] {
        let usual = commonSizes.map { PixelSize(width: $0.0, height: $0.1) }.filter { size in
            holds(size.width, minimum.width, maximum.width, step.width)
                && holds(size.height, minimum.height, maximum.height, step.height)
        }
        let ends = [minimum, maximum].filter { max($0.width, $0.height) <= largestSide }
        return (usual + ends).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
            .sorted { $0.width * $0.height < $1.width * $1.height }
    }

    static func holds(_ value: Int, _ minimum: Int, _ maximum: Int, _ step: Int) -> Bool {
        value >= minimum && value <= maximum && (value - minimum) % max(1, step) == 0
    }

    /// Returns the common rates between the shortest and the longest interval, and the ends if they are plausible.
    static func rates(shortest: FrameInterval, longest: FrameInterval) -> [FrameRate] {
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
