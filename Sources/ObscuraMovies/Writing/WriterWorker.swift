// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraCapture
internal import ObscuraMedia

/// The thread of a writer, what waits for it, and what may be called when.
final class WriterWorker: Sendable {
    enum Sample: Sendable {
        case video(VideoFrame)
        case audio(AudioBuffer)

        var isVideo: Bool {
            if case .video = self { true } else { false }
        }
    }

    private typealias Waiter = (id: UInt64, isVideo: Bool, continuation: CheckedContinuation<Bool, Never>)

    private struct State {
        var machine: WriterStateMachine
        /// How many frames and pieces of sound are on their way to the engine.
        var video = 0
        var audio = 0
        var waiters: [Waiter] = []
        var nextWaiter: UInt64 = 0
        var progress = WriterProgress()
        /// How often it was split, and how many of those parts have begun.
        var splits = 0
        var begunParts = 0
        /// What failed first, also if that was after the call of `finish`.
        var failure: ObscuraError?
        var omittedParts: [String] = []

        mutating func take(_ isVideo: Bool, depth: Int) -> Bool {
            guard (isVideo ? video : audio) < WriterWorker.depth(depth, isVideo) else { return false }
            if isVideo { video += 1 } else { audio += 1 }
            return true
        }
    }

    /// `Sendable` is proved by use: only jobs of the pool's one thread touch the engine.
    private struct Confined: @unchecked Sendable {
        let engine: WriterEngine
    }

    private let state: Lock<State>
    private let pool = WorkerPool(name: "writer", threads: 1)
    private let confined: Confined
    private let depth: Int
    private let hasVideo: Bool
    private let hasAudio: Bool

    /// How many pieces of sound may wait for each frame. A piece has 10 to 25 ms, and an encoder that is too slow takes
    /// one of each kind in turn: with as many places for both, the sound of a few frames would fall behind for ever.
    private static let soundPerFrame = 8

    /// How many parts may wait for their first picture.
    private static let mostSplits = 64

    private static func depth(_ frames: Int, _ isVideo: Bool) -> Int {
        isVideo ? frames : frames * soundPerFrame
    }

    init(_ engine: WriterEngine, subject: String, depth: Int) {
        hasVideo = engine.video != nil
        hasAudio = engine.audio != nil
        confined = Confined(engine: engine)
        self.depth = depth
        state = Lock(State(machine: WriterStateMachine(subject: subject)))
        // The thread is there before the first call: jobs are handed to it with the lock held.
        pool.async {}
    }

    var progress: WriterProgress {
        state.withLock { state in
            var progress = state.progress
            progress.waitingCount = state.video + state.audio
            return progress
        }
    }

    /// The paths of parts that were asked for and have nothing in them; known at the end.
    var omittedParts: [String] { state.withLock { $0.omittedParts } }

    // MARK: In order

    func startSession(at time: MediaTime) throws(ObscuraError) {
        try state.withLock { state throws(ObscuraError) in
            try state.machine.startSession()
            perform { $0.startSession(at: time) }
        }
    }

    func endSession(at time: MediaTime?) throws(ObscuraError) {
        try state.withLock { state throws(ObscuraError) in
            try state.machine.endSession()
            perform { engine throws(ObscuraError) in try engine.endSession(at: time) }
        }
    }

    func split(to output: MovieFile.Request) throws(ObscuraError) {
        try MovieFile.checkName(output.path, overwrites: output.overwrites)
        try state.withLock { state throws(ObscuraError) in
            try state.machine.checkSplit()
            // Before the first picture, and in a pause, they wait.
            guard state.splits - state.begunParts < WriterWorker.mostSplits else {
                throw ObscuraError(
                    .recording, .invalidState, subject: output.path,
                    reason: "\(WriterWorker.mostSplits) parts wait for their first picture already",
                    advice: "Split again when pictures come.")
            }
            state.splits += 1
            perform { $0.split(to: output) }
        }
    }

    // MARK: Samples

    nonisolated(nonsending) func append(_ sample: Sample) async throws(ObscuraError) {
        while try !tryAppend(sample, until: nil) {
            // Woken when there may be room: it is looked again, since the state may have changed.
            let isWoken = await waitForRoom(sample.isVideo)
            if !isWoken || Task.isCancelled {
                // The room that it was woken for is somebody else's.
                if isWoken { wakeNext(sample.isVideo) }
                throw ObscuraError(
                    .recording, .cancelled, subject: state.withLock { $0.machine.subject },
                    reason: "the task was cancelled while it waited for the encoder")
            }
        }
    }

    /// Returns false when there is no room before the deadline; without one it does not wait.
    func tryAppend(_ sample: Sample, until deadline: HostTime?) throws(ObscuraError) -> Bool {
        let isVideo = sample.isVideo
        guard isVideo ? hasVideo : hasAudio else {
            throw ObscuraError(
                .recording, .invalidState, subject: state.withLock { $0.machine.subject },
                reason: "it was made without \(isVideo ? "pictures" : "sound")")
        }
        func attempt(_ state: inout State) -> Result<Bool, ObscuraError> {
            do throws(ObscuraError) {
                try state.machine.checkAppend()
            } catch {
                return .failure(error)
            }
            guard state.take(isVideo, depth: depth) else { return .success(false) }
            // Within the lock, so that the order of the calls is that of the jobs.
            enqueue(sample)
            return .success(true)
        }
        guard let deadline else { return try state.withLock { attempt(&$0) }.get() }
        let answer = state.wait(until: deadline) { state -> Result<Bool, ObscuraError>? in
            let answer = attempt(&state)
            if case .success(false) = answer { return nil }
            return answer
        }
        return try (answer ?? .success(false)).get()
    }

    private func enqueue(_ sample: Sample) {
        perform { engine throws(ObscuraError) in
            switch sample {
            case .video(let frame): try engine.append(frame)
            case .audio(let buffer): try engine.append(buffer)
            }
        } then: { [state] in
            let woken = state.withLockSignalling { state -> [Waiter] in
                if sample.isVideo { state.video -= 1 } else { state.audio -= 1 }
                return Self.takeWaiters(&state, isVideo: sample.isVideo)
            }
            for waiter in woken { waiter.continuation.resume(returning: true) }
        }
    }

    /// Suspends until there may be room; returns false when the task is cancelled.
    nonisolated(nonsending) private func waitForRoom(_ isVideo: Bool) async -> Bool {
        let id = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isWaiting = state.withLock { state in
                    let count = isVideo ? state.video : state.audio
                    guard count >= Self.depth(depth, isVideo), !Task.isCancelled,
                        (try? state.machine.checkAppend()) != nil
                    else {
                        return false
                    }
                    state.waiters.append((id, isVideo, continuation))
                    return true
                }
                if !isWaiting { continuation.resume(returning: true) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
            }
            waiter?.continuation.resume(returning: false)
        }
    }

    private func wakeNext(_ isVideo: Bool) {
        let woken = state.withLock { Self.takeWaiters(&$0, isVideo: isVideo) }
        for waiter in woken { waiter.continuation.resume(returning: true) }
    }

    /// The first who waits for such a place.
    private static func takeWaiters(_ state: inout State, isVideo: Bool) -> [Waiter] {
        guard let index = state.waiters.firstIndex(where: { $0.isVideo == isVideo }) else { return [] }
        return [state.waiters.remove(at: index)]
    }

    // MARK: The thread

    /// Runs `body` on the writer's thread, unless something has failed before; then `done`, whatever came.
    private func perform(
        _ body: @escaping @Sendable (WriterEngine) throws(ObscuraError) -> Void,
        then done: @escaping @Sendable () -> Void = {}
    ) {
        pool.async { [state, confined] in
            let isGood = state.withLock { state in
                state.failure == nil && state.machine.state != .cancelled
            }
            if isGood {
                do throws(ObscuraError) {
                    try body(confined.engine)
                } catch {
                    Self.fail(state, error)
                }
                let (duration, byteCount) = (confined.engine.duration, confined.engine.byteCount)
                let (expected, isFull) = (confined.engine.expectedByteCount, confined.engine.isFull)
                let begunParts = confined.engine.begunParts
                state.withLock { state in
                    state.begunParts = begunParts
                    state.progress.duration = duration
                    state.progress.byteCount = byteCount
                    state.progress.expectedByteCount = expected
                    state.progress.isFull = isFull
                }
            }
            done()
        }
    }

    /// Tells everybody who waits.
    private static func fail(_ state: Lock<State>, _ error: ObscuraError) {
        let woken = state.withLockSignalling { state -> [Waiter] in
            state.machine.fail(error)
            state.failure = state.failure ?? error
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in woken { waiter.continuation.resume(returning: true) }
    }

    // MARK: The end

    nonisolated(nonsending) func finish() async throws(ObscuraError) -> WriterReport {
        try beginFinish()
        return try await withCheckedContinuation { continuation in
            finish { continuation.resume(returning: $0) }
        }.get()
    }

    /// Blocks the thread; nil when the deadline came first.
    func finishBlocking(until deadline: HostTime?) throws(ObscuraError) -> WriterReport? {
        try beginFinish()
        let answer = Lock<Result<WriterReport, ObscuraError>?>(nil)
        finish { result in answer.withLockSignalling { $0 = result } }
        return try answer.wait(until: deadline) { $0 }?.get()
    }

    private func beginFinish() throws(ObscuraError) {
        try state.withLock { state throws(ObscuraError) in try state.machine.finish() }
        wakeAll()
    }

    private func finish(_ done: @escaping @Sendable (Result<WriterReport, ObscuraError>) -> Void) {
        pool.async { [state, confined] in
            let result: Result<WriterReport, ObscuraError>
            do throws(ObscuraError) {
                let before = state.withLock { $0.failure }
                result = .success(
                    before == nil ? try confined.engine.finish() : try confined.engine.close(after: before))
            } catch {
                result = .failure(error)
            }
            let (omittedParts, isFull) = (confined.engine.omittedParts, confined.engine.isFull)
            state.withLock { state in
                state.omittedParts = omittedParts
                state.progress.isFull = isFull
            }
            done(result)
        }
    }

    nonisolated(nonsending) func cancel() async {
        guard state.withLock({ $0.machine.cancel() }) else { return }
        wakeAll()
        await pool.run { [confined] in confined.engine.discard() }
    }

    private func wakeAll() {
        let woken = state.withLockSignalling { state in
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in woken { waiter.continuation.resume(returning: true) }
    }
}
