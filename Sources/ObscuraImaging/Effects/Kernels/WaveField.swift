// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CPixelKernels
package import ObscuraMedia

/// A height field of water waves on a coarse grid.
///
/// Each step of 1/120 s solves the wave equation by central differences on four neighbors, h′ = h + d·(h − h₋₁) +
/// c²·∇²h, which is stable for c² below 1/2; c² = 0.36 lets waves cross the longer side of the picture in 3.3 s. The
/// edges reflect waves. The damping d = 0.99 reduces waves to a third in 1.7 s.
package struct WaveField: Sendable {
    /// Steps per second.
    package static let rate: Int32 = 120
    /// Cells along the longer side.
    private static let cells = 240
    private static let tension: Float = 0.36
    private static let damping: Float = 0.99
    /// A slope, and a height change per step, that is invisible.
    private static let stillness: Float = 1e-4
    /// The scale of the wave of a drop, in cells.
    private static let dropScale: Float = 5

    package let columns: Int
    package let rows: Int
    private var now: [Float]
    private var before: [Float]
    /// Whether the water is level and still.
    package private(set) var isAtRest = true

    /// Creates a level field for frames of this aspect ratio.
    package init(shape: PixelSize) {
        let size = Self.grid(for: shape)
        (columns, rows) = (size.width, size.height)
        now = [Float](repeating: 0, count: columns * rows)
        before = now
    }

    /// Returns the number of nodes horizontally and vertically for frames of this aspect ratio.
    package static func grid(for shape: PixelSize) -> PixelSize {
        let longer = max(shape.width, shape.height, 1)
        func nodes(_ side: Int) -> Int { max(1, (2 * side * cells + longer) / (2 * longer)) + 1 }
        return PixelSize(width: nodes(shape.width), height: nodes(shape.height))
    }

    /// The energy of motion and slopes; it increases with each drop and decays.
    package var energy: Double {
        var sum = 0.0
        for y in 0..<rows {
            for x in 0..<columns {
                let place = y * columns + x
                let motion = Double(now[place] - before[place])
                let across = x + 1 < columns ? Double(now[place + 1] - now[place]) : 0
                let down = y + 1 < rows ? Double(now[place + columns] - now[place]) : 0
                sum += motion * motion + Double(Self.tension) * (across * across + down * down)
            }
        }
        return sum
    }

    /// Adds a drop at coordinates from 0 to 1: (1 − q²)·e^(−q²), whose volume is 0.
    package mutating func drop(x: Double, y: Double, strength: Double) {
        let (centerX, centerY) = (Float(x) * Float(columns - 1), Float(y) * Float(rows - 1))
        let reach = 3 * Self.dropScale
        for row in max(0, Int(centerY - reach))...min(rows - 1, Int(centerY + reach) + 1) {
            for column in max(0, Int(centerX - reach))...min(columns - 1, Int(centerX + reach) + 1) {
                let (dx, dy) = (Float(column) - centerX, Float(row) - centerY)
                let q = (dx * dx + dy * dy) / (Self.dropScale * Self.dropScale)
                guard q < 9 else { continue }
                let height = Float(strength) * (1 - q) * Self.exponential(-q)
                now[row * columns + column] -= height
                before[row * columns + column] -= height
            }
        }
        isAtRest = false
    }

    /// Returns e to a power x from -9 to 0 as (1 + x/1024)^1024: the same on every machine, and sufficiently exact.
    private static func exponential(_ power: Float) -> Float {
        var value = 1 + power / 1024
        for _ in 0..<10 { value *= value }
        return value
    }

    /// Advances by one step.
    package mutating func step() {
        guard !isAtRest else { return }
        let change = PKWaveStep(now, &before, columns, rows, Self.tension, Self.damping)
        swap(&now, &before)
        guard change < Self.stillness, slopes().steepest < Self.stillness else { return }
        now = [Float](repeating: 0, count: columns * rows)
        before = now
        isAtRest = true
    }

    /// Returns the slopes of the surface.
    package func slopes() -> WaveSlopes {
        var across = [Float](repeating: 0, count: columns * rows)
        var down = across
        let steepest = PKWaveSlopes(now, columns, rows, &across, &down)
        return WaveSlopes(columns: columns, rows: rows, across: across, down: down, steepest: steepest)
    }
}
