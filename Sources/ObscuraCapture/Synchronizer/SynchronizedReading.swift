// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Dispatch
internal import ObscuraBase
internal import ObscuraMedia

/// The state of one loop over ``CaptureSynchronizer/frameSets``.
///
/// A frame queued in the matcher counts as in hand. It is then counted as delivered when the loop requests the next
/// set, as late when the matcher releases it, or as stopped when the loop ends before.
final class SynchronizedReading: Sendable {
    private struct State {
        /// The readers whose frames the loop's body is handling.
        var handedOut: [Int] = []
        /// Whether a missing frame is so late that the loop continues without it.
        var isOverdue = false
    }

    private let outputs: [VideoDataOutput]
    private let readers: [FrameReader]
    private let matcher: Lock<FrameMatcher<VideoFrame>>
    private let state = Lock(State())
    private let timers = DispatchQueue(label: "obscura.synchronizer")
    /// The maximum wait for a late stream while another one is blocked.
    private let stallLimit: Duration

    init(_ synchronizer: CaptureSynchronizer, stallLimit: Duration = .seconds(2)) {
        outputs = synchronizer.outputs
        self.stallLimit = max(stallLimit, synchronizer.patience)
        readers = outputs.map { $0.makeReader("synchronizer") }
        // Frames queued in the matcher count as held; half of the lease limit is left to the caller.
        let limit = (outputs.map(\.leaseLimit).min() ?? 2) / 2
        matcher = Lock(
            FrameMatcher(
                count: outputs.count, tolerance: synchronizer.tolerance, patience: synchronizer.patience,
                limit: limit))
        for (output, reader) in zip(outputs, readers) { output.connection.attach(reader) }
    }

    deinit {
        finishSet()
        end()
    }

    nonisolated(nonsending) func next() async throws(ObscuraError) -> CaptureSynchronizer.FrameSet? {
        finishSet()
        while true {
            if Task.isCancelled {
                end()
                return nil
            }
            for (index, reader) in readers.enumerated() { try drain(reader, index) }
            let isOverdue = state.withLock { $0.isOverdue }
            let frames = matcher.withLock { $0.next(isForced: isOverdue) }
            dropReleased(.late)
            if let frames, let leader = frames.first ?? nil {
                state.withLock { $0.handedOut = frames.indices.filter { frames[$0] != nil } }
                return CaptureSynchronizer.FrameSet(frames: frames, hostTime: leader.hostTime)
            }
            if matcher.withLock({ $0.isAtEnd }) {
                end()
                return nil
            }
            await anyReady()
        }
    }

    private func drain(_ reader: FrameReader, _ index: Int) throws(ObscuraError) {
        while !isHeldBack(index) {
            switch reader.takeReady() {
            case .element(let frame, _):
                let wasAwaited = matcher.withLock { matcher in
                    defer { matcher.add(frame, at: frame.hostTime, to: index) }
                    return matcher.hasRoom(for: index)
                }
                if wasAwaited { state.withLock { $0.isOverdue = false } }
                dropReleased(.late)
            case .nothing:
                return
            case .ended(nil):
                return matcher.withLock { $0.end(index) }
            case .ended(let error?):
                end()
                throw error
            }
        }
    }

    /// Whether the source of a lossless output must wait, since one more frame would displace another.
    private func isHeldBack(_ index: Int) -> Bool {
        // An overdue set of the leader is completed without the other streams, which makes room.
        guard readers[index].queue.policy.isLossless, index == 0 || !state.withLock({ $0.isOverdue }) else {
            return false
        }
        return matcher.withLock { !$0.hasRoom(for: index) }
    }

    /// Suspends until a reader may have a frame, a missing frame is overdue, or the task is cancelled.
    nonisolated(nonsending) private func anyReady() async {
        let isResumed = Lock(false)
        let heldBack = readers.indices.filter(isHeldBack)
        let isTimed = !heldBack.isEmpty || matcher.withLock { $0.isWaitingAfterLeader }
        let timer = isTimed ? DispatchSource.makeTimerSource(queue: timers) : nil
        defer { timer?.cancel() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let resume: @Sendable () -> Void = {
                    let isFirst = isResumed.withLock { isResumed in
                        defer { isResumed = true }
                        return !isResumed
                    }
                    if isFirst { continuation.resume() }
                }
                if let timer {
                    timer.schedule(deadline: .now() + .nanoseconds(Int(stallLimit.wholeNanoseconds)))
                    timer.setEventHandler { [state] in
                        // Set before the loop is resumed, so that the loop sees it.
                        if isResumed.withLock({ !$0 }) { state.withLock { $0.isOverdue = true } }
                        resume()
                    }
                    timer.activate()
                }
                for (index, reader) in readers.enumerated()
                where !heldBack.contains(index) && !matcher.withLock({ $0.hasEnded(index) }) {
                    reader.whenReady(resume)
                }
            }
        } onCancel: {
            detach()
        }
    }

    // MARK: Statistics

    /// Counts the frames of the last set as delivered.
    private func finishSet() {
        let handedOut = state.withLock { state in
            defer { state.handedOut.removeAll() }
            return state.handedOut
        }
        for index in handedOut { readers[index].finish() }
    }

    private func dropReleased(_ reason: DropReason) {
        // Taken out first: releasing a frame may wake its reader, which must not find the lock held.
        let released = matcher.withLock { $0.takeReleased() }
        for (index, _) in released { readers[index].queue.dropInHand(reason) }
    }

    private func end() {
        detach()
        matcher.withLock { $0.releaseAll() }
        dropReleased(.stopped)
    }

    private func detach() {
        for (output, reader) in zip(outputs, readers) { output.connection.detach(reader) }
    }
}
