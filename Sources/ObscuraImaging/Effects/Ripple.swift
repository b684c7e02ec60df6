// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
package import ObscuraMedia

/// Water over the picture: a tap throws up waves that spread, fade, and bend what is seen through them.
///
/// ```swift
/// let ripple = Ripple()
/// output.connection.effects = [.ripple(ripple)]
/// ripple.tap(x: 0.5, y: 0.5)  // in the middle, whenever somebody touches the picture
/// ```
///
/// The water goes by the times of the frames: the same taps between the same frames give the same pictures, at any
/// speed. When it is at rest again the effect costs nothing. Any thread.
public final class Ripple: Sendable {
    private struct State {
        var field: WaveField?
        /// Drops for the next frame, which says what shape the picture has.
        var taps: [(x: Double, y: Double, strength: Double)] = []
        /// The moment of the field, in steps.
        var step: Int64?
        var slopes: WaveSlopes?
    }

    /// More taps before a frame than this are let go of, the oldest first.
    private static let mostTaps = 256
    /// More steps than this are not made up for: after a second without a frame nobody knows where the waves were.
    private static let mostSteps = Int64(WaveField.rate)

    private let state = Lock(State())
    /// Steps from one drop of rain to the next; 0 for none.
    private let rainInterval: Int64

    /// Still water.
    public convenience init() {
        self.init(rain: 0)
    }

    /// Water on which it rains, on places that look random and are the same each time.
    ///
    /// - Parameter dropsPerSecond: 0 for none; more than 120 count as 120.
    public init(rain dropsPerSecond: Double) {
        let rate = Double(WaveField.rate)
        // Slower than a drop an hour is no rain.
        rainInterval = dropsPerSecond > 1.0 / 3600 ? Int64((rate / min(dropsPerSecond, rate)).rounded()) : 0
    }

    /// A drop falls.
    ///
    /// - Parameters:
    ///   - x: 0 at the left edge of the upright picture, 1 at the right one. What lies outside is moved to the edge.
    ///   - y: 0 at the upper edge, 1 at the lower one.
    ///   - strength: 1 for a finger; up to 4, and down to -4 for one that comes out of the water.
    public func tap(x: Double, y: Double, strength: Double = 1) {
        guard x.isFinite, y.isFinite, strength.isFinite else { return }
        let tap = (min(max(0, x), 1), min(max(0, y), 1), min(max(-4, strength), 4))
        state.withLock { state in
            if state.taps.count == Self.mostTaps { state.taps.removeFirst() }
            state.taps.append(tap)
        }
    }

    /// Whether the water is level and nothing is about to fall into it.
    public var isAtRest: Bool {
        state.withLock { $0.taps.isEmpty && $0.field?.isAtRest ?? true } && rainInterval == 0
    }

    /// The energy of the waves, in no unit.
    package var energy: Double { state.withLock { $0.field?.energy ?? 0 } }

    /// The slopes of the water at the time of a frame; nil where it is level.
    ///
    /// For a frame that is older than the last one they are those of the last one.
    package func slopes(at time: MediaTime, shape: PixelSize) -> WaveSlopes? {
        state.withLock { state in
            let last = state.step
            // Some million years are enough, and their difference does not overflow.
            let step = time.converted(toTimescale: WaveField.rate).value
            advance(&state, to: min(max(-1 << 60, step), 1 << 60), shape)
            guard let field = state.field, !field.isAtRest else {
                state.slopes = nil
                return nil
            }
            if state.slopes == nil || state.step != last { state.slopes = field.slopes() }
            return state.slopes
        }
    }

    private func advance(_ state: inout State, to target: Int64, _ shape: PixelSize) {
        fit(&state, to: shape)
        guard var field = state.field.take() else {
            state.step = target
            return
        }
        defer { state.field = field }
        for tap in state.taps { field.drop(x: tap.x, y: tap.y, strength: tap.strength) }
        if !state.taps.isEmpty { state.slopes = nil }
        state.taps.removeAll()
        // A film that begins again begins a new count.
        guard let last = state.step, target >= last || last - target > Self.mostSteps else {
            if state.step == nil { state.step = target }
            return
        }
        let first = max(min(last, target), target - Self.mostSteps)
        for step in first..<target {
            if rainInterval > 0, step % rainInterval == 0 { rain(on: &field, number: step / rainInterval) }
            field.step()
            if field.isAtRest, rainInterval == 0 { break }
        }
        state.step = target
    }

    /// Still water takes the shape of the picture; waves stay in the shape that they have.
    private func fit(_ state: inout State, to shape: PixelSize) {
        guard let field = state.field else {
            // Not before there is something to see.
            if !state.taps.isEmpty || rainInterval > 0 { state.field = WaveField(shape: shape) }
            return
        }
        let grid = WaveField.grid(for: shape)
        if field.isAtRest, grid != PixelSize(width: field.columns, height: field.rows) {
            state.field = WaveField(shape: shape)
        }
    }

    private func rain(on field: inout WaveField, number: Int64) {
        // SplitMix64 of the number of the drop.
        var word = UInt64(bitPattern: number) &* 0x9e37_79b9_7f4a_7c15 &+ 0x9e37_79b9_7f4a_7c15
        word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
        word ^= word >> 31
        field.drop(x: Double(word >> 48) / 65535, y: Double(word >> 32 & 0xffff) / 65535, strength: 1)
    }
}
