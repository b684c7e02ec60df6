// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraMedia

/// The thread of a writer, its queue of samples, and its state machine.
final class WriterWorker: Sendable {
    private struct State: EncodingState {
        var machine: WriterStateMachine
        let rules: TrackRules
        var progress = WriterProgress()
        /// Number of splits, and number of those parts that have begun.
        var splits = 0
        var begunParts = 0
        /// The first failure, including those after the call of `finish`.
        var failure: ObscuraError?
        var omittedParts: [String] = []
        /// The end of the last text or location of each track, in the current segment.
        var ends: [Int: MediaTime] = [:]

        func check(_ sample: TrackSample) throws(ObscuraError) {
            try rules.check(sample, after: ends[sample.track])
            try machine.checkAppend()
        }

        mutating func accept(_ sample: TrackSample) {
            if let end = rules.end(of: sample) { ends[sample.track] = end }
        }
    }

    /// `Sendable` is safe because only jobs on the queue's single thread use the engine.
    private struct Confined: @unchecked Sendable {
        let engine: WriterEngine
    }

    private let queue: EncodingQueue<State>
    private let confined: Confined

    /// Maximum number of parts that wait for their first frame.
    private static let mostSplits = 64

    init(_ engine: WriterEngine, rules: TrackRules, depth: Int) {
        confined = Confined(engine: engine)
        queue = EncodingQueue(
            State(machine: WriterStateMachine(subject: rules.subject), rules: rules),
            name: "writer", domain: .recording, subject: rules.subject, depth: depth)
    }

    var progress: WriterProgress {
        var progress = queue.withState { $0.progress }
        progress.waitingCount = queue.count
        return progress
    }

    /// Paths of the requested parts without samples; complete at the end.
    var omittedParts: [String] { queue.withState { $0.omittedParts } }

    // MARK: In order

    func startSession(at time: MediaTime) throws(ObscuraError) {
        try queue.withState { state throws(ObscuraError) in
            try state.machine.startSession()
            state.ends = [:]
            perform { $0.startSession(at: time) }
        }
    }

    func endSession(at time: MediaTime?) throws(ObscuraError) {
        try queue.withState { state throws(ObscuraError) in
            try state.machine.endSession()
            perform { engine throws(ObscuraError) in try engine.endSession(at: time) }
        }
    }

    func split(to output: MovieFile.Request) throws(ObscuraError) {
        try MovieFile.checkName(output.path, overwrites: output.overwrites)
        try queue.withState { state throws(ObscuraError) in
            try state.machine.checkSplit()
            // Before the first frame and during a pause, parts wait.
            guard state.splits - state.begunParts < WriterWorker.mostSplits else {
                throw ObscuraError(
                    .recording, .invalidState, subject: output.path,
                    reason: "\(WriterWorker.mostSplits) earlier splits still wait for their first frame",
                    advice: "Wait until frames arrive, then split the recording again.")
            }
            state.splits += 1
            perform { $0.split(to: output) }
        }
    }

    // MARK: Samples

    nonisolated(nonsending) func append(_ sample: TrackSample) async throws(ObscuraError) {
        try await queue.append(sample, encode)
    }

    func append(_ sample: TrackSample, until deadline: HostTime?) throws(ObscuraError) -> Bool {
        try queue.append(sample, until: deadline, encode)
    }

    private var encode: @Sendable (TrackSample) -> Void {
        { [queue, confined] sample in
            Self.work(queue, confined) { engine throws(ObscuraError) in try engine.append(sample) }
        }
    }

    // MARK: The thread

    private typealias Work = @Sendable (WriterEngine) throws(ObscuraError) -> Void

    /// Runs `body` on the writer's thread, unless the writer has failed.
    private func perform(_ body: @escaping Work) {
        queue.run { [queue, confined] in Self.work(queue, confined, body) }
    }

    private static func work(_ queue: EncodingQueue<State>, _ confined: Confined, _ body: Work) {
        guard queue.withState({ $0.failure == nil && $0.machine.state != .cancelled }) else { return }
        let engine = confined.engine
        do throws(ObscuraError) {
            try body(engine)
        } catch {
            queue.update { state in
                state.machine.fail(error)
                state.failure = state.failure ?? error
            }
        }
        let (duration, byteCount) = (engine.duration, engine.byteCount)
        let (expected, isFull, begunParts) = (engine.expectedByteCount, engine.isFull, engine.begunParts)
        queue.withState { state in
            state.begunParts = begunParts
            state.progress.duration = duration
            state.progress.byteCount = byteCount
            state.progress.expectedByteCount = expected
            state.progress.isFull = isFull
        }
    }

    // MARK: The end

    nonisolated(nonsending) func finish() async throws(ObscuraError) -> WriterReport {
        try queue.update { state throws(ObscuraError) in try state.machine.finish() }
        return try await withCheckedContinuation { continuation in
            finish { continuation.resume(returning: $0) }
        }.get()
    }

    /// Blocks the thread; returns nil at the deadline.
    func finish(until deadline: HostTime?) throws(ObscuraError) -> WriterReport? {
        try queue.update { state throws(ObscuraError) in try state.machine.finish() }
        let answer = Lock<Result<WriterReport, ObscuraError>?>(nil)
        finish { result in answer.withLockSignalling { $0 = result } }
        return try answer.wait(until: deadline) { $0 }?.get()
    }

    private func finish(_ done: @escaping @Sendable (Result<WriterReport, ObscuraError>) -> Void) {
        queue.run { [queue, confined] in
            let result: Result<WriterReport, ObscuraError>
            do throws(ObscuraError) {
                let before = queue.withState { $0.failure }
                result = .success(
                    before == nil ? try confined.engine.finish() : try confined.engine.close(after: before))
            } catch {
                result = .failure(error)
            }
            let (omittedParts, isFull) = (confined.engine.omittedParts, confined.engine.isFull)
            queue.withState { state in
                state.omittedParts = omittedParts
                state.progress.isFull = isFull
            }
            done(result)
        }
    }

    nonisolated(nonsending) func cancel() async {
        guard queue.update({ $0.machine.cancel() }) else { return }
        await withCheckedContinuation { continuation in
            queue.run { [confined] in
                confined.engine.discard()
                continuation.resume()
            }
        }
    }
}
