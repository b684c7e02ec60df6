// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// One size of a search: the picture is scaled down, and the cascade's window moves over it.
struct ScaleLevel: Sendable, Hashable {
    /// The factor by which the picture is scaled down.
    let scale: Float
    /// The size of the scaled picture.
    let size: PixelSize
    /// The size of a window, in pixels of the picture.
    let window: PixelSize
    /// The number of windows in a row and in a column, one per pixel.
    let windowColumns, windowRows: Int

    /// The distance between searched windows: OpenCV skips every second one while the scale is below 2.
    var step: Int { scale >= 2 ? 1 : 2 }

    /// The number of searched windows.
    var windowCount: Int { windowColumns * windowRows / (step * step) }

    /// Returns the window at a position of the scaled picture, in pixels of the picture.
    func rect(x: Int, y: Int) -> PixelRect {
        PixelRect(
            x: ScalePyramid.rounded(Float(x) * scale), y: ScalePyramid.rounded(Float(y) * scale),
            width: window.width, height: window.height)
    }
}

/// The sizes at which OpenCV's detectMultiScale searches a picture.
struct ScalePyramid: Sendable {
    let levels: [ScaleLevel]

    init(picture: PixelSize, window: PixelSize, settings: CascadeSettings) {
        let smallest = settings.smallest
        let largest = settings.largest ?? picture
        func size(_ scale: Float) -> PixelSize {
            PixelSize(
                width: Self.rounded(Float(window.width) * scale), height: Self.rounded(Float(window.height) * scale))
        }
        var scales: [Float] = []
        var scale = 1.0
        while true {
            let width = Self.rounded(Double(window.width) * scale)
            let height = Self.rounded(Double(window.height) * scale)
            if width > picture.width || height > picture.height { break }
            scales.append(Float(scale))
            scale *= settings.scaleStep
        }
        let all = scales
        scales.removeAll { scale in
            let size = size(scale)
            return size.width > largest.width || size.height > largest.height || size.width < smallest.width
                || size.height < smallest.height
        }
        // If none is between the smallest and the largest, OpenCV uses the nearest one.
        if scales.isEmpty {
            func distance(_ scale: Float) -> Int {
                let size = size(scale)
                let (x, y) = (smallest.width - size.width, smallest.height - size.height)
                return x * x + y * y
            }
            if let nearest = all.min(by: { distance($0) < distance($1) }) { scales = [nearest] }
        }
        levels = scales.compactMap { scale in
            let scaled = PixelSize(
                width: Self.rounded(Float(picture.width) / scale), height: Self.rounded(Float(picture.height) / scale))
            let (columns, rows) = (scaled.width + 1 - window.width, scaled.height + 1 - window.height)
            guard columns > 0, rows > 0 else { return nil }
            return ScaleLevel(
                scale: scale, size: scaled, window: size(scale), windowColumns: columns, windowRows: rows)
        }
    }

    /// Rounds to the nearest integer, halves to even, as OpenCV does.
    static func rounded<Number: BinaryFloatingPoint>(_ number: Number) -> Int {
        Int(number.rounded(.toNearestOrEven))
    }
}
