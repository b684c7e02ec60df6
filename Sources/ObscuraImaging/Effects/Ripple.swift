// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
package import ObscuraMedia

/// A water surface over the frames: taps create waves that spread, fade, and refract the frames.
///
/// ```swift
/// let ripple = Ripple()
/// output.connection.effects = [.ripple(ripple)]
/// ripple.tap(x: 0.5, y: 0.5)  // in the center
/// ```
///
/// The waves move with the presentation times of the frames. The result therefore depends only on the frames and the
/// taps between them, not on the speed of processing. Still water leaves frames unchanged. Thread-safe.
public final class Ripple: Sendable {
    private struct State {
        var field: WaveField?
        /// Drops for the next frame, which determines the aspect ratio.
        var taps: [(x: Double, y: Double, strength: Double)] = []
        /// The time of the field, in steps.
        var step: Int64?
        var slopes: WaveSlopes?
    }

    /// Maximum number of taps between two frames; older ones are dropped.
    private static let mostTaps = 256
    /// Maximum number of steps between two frames; after a longer gap the water is still.
    private static let mostSteps = Int64(WaveField.rate)

    private let state = Lock(State())
    /// Steps between drops of rain; 0 for none.
    private let rainInterval: Int64

    /// Creates still water.
    public convenience init() {
        self.init(rain: 0)
    }

    /// Creates water with rain. The drops fall at pseudorandom positions, which depend only on the presentation time
    /// and on the number of drops per second.
    ///
    /// - Parameter dropsPerSecond: the number of drops per second; 0 for no rain, at most 120.
    public init(rain dropsPerSecond: Double) {
        let rate = Double(WaveField.rate)
        // Less than one drop per hour counts as none.
        rainInterval = dropsPerSecond > 1.0 / 3600 ? Int64((rate / min(dropsPerSecond, rate)).rounded()) : 0
    }

    /// Adds a drop.
    ///
    /// - Parameters:
    ///   - x: 0 at the left edge of the upright frame, 1 at the right edge; limited to this range.
    ///   - y: 0 at the top edge of the upright frame, 1 at the bottom edge; limited to this range.
    ///   - strength: the depth of the drop, limited to -4 to 4; negative values raise the water.
    public func tap(x: Double, y: Double, strength: Double = 1) {
        guard x.isFinite, y.isFinite, strength.isFinite else { return }
        let tap = (min(max(0, x), 1), min(max(0, y), 1), min(max(-4, strength), 4))
        state.withLock { state in
            if state.taps.count == Self.mostTaps { state.taps.removeFirst() }
            state.taps.append(tap)
        }
    }

    /// Whether the water is level, and no added drop waits for the next frame. Always false for water with rain.
    public var isAtRest: Bool {
        state.withLock { $0.taps.isEmpty && $0.field?.isAtRest ?? true } && rainInterval == 0
    }

    /// The energy of the waves, without a unit.
    package var energy: Double { state.withLock { $0.field?.energy ?? 0 } }

    /// Returns the slopes of the surface at the time of a frame; nil if it is level.
    ///
    /// For a frame older than the last one, returns the slopes of the last one.
    package func slopes(at time: MediaTime, shape: PixelSize) -> WaveSlopes? {
        state.withLock { state in
            let last = state.step
            // Limited, so that differences do not overflow.
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
        // A stream that restarts begins a new count.
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

    /// Sets the aspect ratio of still water to that of the frame; waves keep theirs.
    private func fit(_ state: inout State, to shape: PixelSize) {
        guard let field = state.field else {
            // Not before the first drop.
            if !state.taps.isEmpty || rainInterval > 0 { state.field = WaveField(shape: shape) }
            return
        }
        let grid = WaveField.grid(for: shape)
        if field.isAtRest, grid != PixelSize(width: field.columns, height: field.rows) {
            state.field = WaveField(shape: shape)
        }
    }

    private func rain(on field: inout WaveField, number: Int64) {
        // SplitMix64 of the drop's number.
        var word = UInt64(bitPattern: number) &* 0x9e37_79b9_7f4a_7c15 &+ 0x9e37_79b9_7f4a_7c15
        word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
        word ^= word >> 31
        field.drop(x: Double(word >> 48) / 65535, y: Double(word >> 32 & 0xffff) / 65535, strength: 1)
    }
}
