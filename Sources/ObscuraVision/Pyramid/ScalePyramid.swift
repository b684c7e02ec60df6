// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#if Vision

internal import ObscuraMedia

/// One size at which a picture is searched: it is scaled down, and the window of the cascade goes over it.
struct ScaleLevel: Sendable, Hashable {
    /// How many times smaller it is than the picture.
    let scale: Float
    /// The size of the scaled picture.
    let size: PixelSize
    /// The size of a window, in pixels of the picture.
    let window: PixelSize
    /// How many windows there are in each row, and in each column, one for each pixel.
    let windowColumns, windowRows: Int

    /// OpenCV takes every second window where the picture is hardly scaled.
    var step: Int { scale >= 2 ? 1 : 2 }

    /// How many windows there are to look at.
    var windowCount: Int { windowColumns * windowRows / (step * step) }

    /// The window at a place of the scaled picture, in pixels of the picture.
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
        // Where none fits between the smallest and the largest, OpenCV takes the one that is nearest.
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

    /// To the nearest whole number, halves to the even one, as OpenCV rounds.
    static func rounded<Number: BinaryFloatingPoint>(_ number: Number) -> Int {
        Int(number.rounded(.toNearestOrEven))
    }
}

#endif
