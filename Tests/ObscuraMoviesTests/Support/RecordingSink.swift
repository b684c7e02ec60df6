// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import ObscuraCapture
import ObscuraMedia
import TestSupport

/// Writes down what a run tells.
final class RecordingSink: CaptureSink {
    enum Event: Equatable {
        case interrupted(InterruptionReason)
        case resumed
        case finished(ObscuraError.Code?)
    }

    struct State {
        var frames: [VideoFrame] = []
        var sounds: [AudioBuffer] = []
        var wantsAudio = false
        /// With how many frames before it each event came.
        var events: [(event: Event, frames: Int)] = []
        var lost = 0

        var isOver: Bool { events.contains { if case .finished = $0.event { true } else { false } } }
    }

    let state = Lock(State())
    let pool = PixelBufferPool(capacity: 16)
    /// Called with each frame, on the run's thread.
    private let onFrame: @Sendable (VideoFrame) -> Void

    init(wantsAudio: Bool = false, onFrame: @escaping @Sendable (VideoFrame) -> Void = { _ in }) {
        self.onFrame = onFrame
        state.withLock { $0.wantsAudio = wantsAudio }
    }

    func receive(_ frame: VideoFrame, buffersLeft: Int?) {
        state.withLockSignalling { $0.frames.append(frame) }
        onFrame(frame)
    }

    func receive(_ frame: EncodedFrame) {}
    func receive(_ sound: AudioBuffer) { state.withLockSignalling { $0.sounds.append(sound) } }
    var wantsAudio: Bool { state.withLock { $0.wantsAudio } }
    func loseFrame(sequence: UInt64?, gap: UInt64) { state.withLockSignalling { $0.lost += 1 } }
    func interrupted(_ reason: InterruptionReason) { note(.interrupted(reason)) }
    func resumed() { note(.resumed) }
    func finish(throwing error: ObscuraError?) { note(.finished(error?.code)) }

    private func note(_ event: Event) {
        state.withLockSignalling { $0.events.append((event, $0.frames.count)) }
    }

    var frames: [VideoFrame] { state.withLock { $0.frames } }
    var sounds: [AudioBuffer] { state.withLock { $0.sounds } }
    var events: [Event] { state.withLock { $0.events.map(\.event) } }

    /// Waits until the state is as wanted. Returns false when that does not come about.
    func waits(for condition: (State) -> Bool) -> Bool {
        state.wait(until: .now + waitLimit) { condition($0) ? true : nil } ?? false
    }

    /// Waits for the end.
    var hasFinished: Bool { waits(for: \.isOver) }

    /// Waits until the run waits for a moment to come; nil when it has ended, or does neither.
    func nextDeadline(of clock: ManualClock) -> HostTime? {
        var deadline: HostTime?
        let isThere = blocksUntil {
            deadline = clock.nextDeadline(within: .zero)
            return deadline != nil || state.withLock { $0.isOver }
        }
        return isThere ? deadline : nil
    }
}
