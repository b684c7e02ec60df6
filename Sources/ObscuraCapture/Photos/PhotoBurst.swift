// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
public import ObscuraMedia

/// The photos of a burst as an asynchronous sequence, in the order in which they were taken. Each photo is delivered
/// only once.
///
/// ```swift
/// for try await photo in try await photos.captureBurst(count: 5, interval: .milliseconds(200)) {
///     try await photo.write(to: "shot-\(photo.sequence).jpg")
/// }
/// ```
///
/// If a photo cannot be taken or encoded, the sequence delivers the earlier photos and then throws ``ObscuraError``.
/// Cancelling the task or releasing the `PhotoBurst` ends the burst.
public struct PhotoBurst: AsyncSequence, Sendable {
    /// A photo of the burst.
    public typealias Element = Photo
    /// The error that ends the burst.
    public typealias Failure = ObscuraError

    let run: Run

    /// Creates an iterator that begins with the first photo that was not consumed yet.
    public func makeAsyncIterator() -> Iterator {
        Iterator(run: run)
    }

    /// An iterator over the photos. Use it from one task at a time.
    public struct Iterator: AsyncIteratorProtocol {
        let run: Run

        /// Returns the next photo; nil after the last photo, or if the task was cancelled.
        ///
        /// - Throws: ``ObscuraError`` if a photo cannot be taken or encoded.
        nonisolated(nonsending) public mutating func next() async throws(ObscuraError) -> Photo? {
            try await run.next()
        }

        /// Does the same as `next()`, for callers on an actor.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(ObscuraError) -> Photo? {
            try await run.next()
        }
    }

    /// One burst, from its first frame to its last photo.
    final class Run: Sendable {
        private struct State {
            /// Photos not consumed yet, by their numbers.
            var photos: [Int: Result<Photo, ObscuraError>] = [:]
            var taken = 0
            var delivered = 0
            /// The result of taking the frames.
            var ending: ObscuraError??
            var waiter: CheckedContinuation<Void, Never>?
        }

        private let output: PhotoOutput
        private let maker: PhotoMaker
        private let modeSwitch: Photo.ModeSwitch?
        private let state = Lock(State())
        private let request = Lock<PhotoRequest?>(nil)
        private let onEnd: @Sendable () -> Void
        /// The maximum number of photos not consumed yet.
        private static let limit = 64

        init(
            output: PhotoOutput, maker: PhotoMaker, modeSwitch: Photo.ModeSwitch?,
            onEnd: @escaping @Sendable () -> Void
        ) {
            self.output = output
            self.maker = maker
            self.modeSwitch = modeSwitch
            self.onEnd = onEnd
        }

        deinit {
            if let request = request.withLock({ $0 }) {
                output.tap.withdraw(request, throwing: .cancelled(.capture, output.name))
            }
        }

        func start(_ schedule: PhotoSchedule) {
            // The run ends when its last owner releases it: nothing here may retain it.
            let request = PhotoRequest(
                onFrame: { [weak self] in self?.take($0) },
                onEnd: { [weak self, onEnd] error in
                    self?.end(error)
                    onEnd()
                })
            self.request.withLock { $0 = request }
            output.tap.add(request, schedule)
        }

        nonisolated(nonsending) func next() async throws(ObscuraError) -> Photo? {
            while true {
                if Task.isCancelled { cancel() }
                let (photo, ending) = state.withLock { state in
                    let photo = state.photos.removeValue(forKey: state.delivered)
                    if photo != nil { state.delivered += 1 }
                    let isOver = state.delivered == state.taken
                    return (photo, photo == nil && isOver ? state.ending : nil)
                }
                if Task.isCancelled { return nil }
                if let photo { return try photo.get() }
                if let ending {
                    guard let error = ending else { return nil }
                    // The error is thrown once.
                    state.withLock { $0.ending = .some(nil) }
                    throw error
                }
                await ready(isolation: #isolation)
            }
        }

        private func ready(isolation actor: isolated (any Actor)?) async {
            await withTaskCancellationHandler(
                operation: {
                    await withCheckedContinuation(isolation: actor) { continuation in
                        let isReady = state.withLock { state in
                            let isOver = state.ending != nil && state.delivered == state.taken
                            if isOver || state.photos[state.delivered] != nil { return true }
                            state.waiter = continuation
                            return false
                        }
                        if isReady { continuation.resume() }
                    }
                },
                onCancel: { cancel() },
                isolation: actor)
        }

        private func cancel() {
            if let request = request.withLock({ $0 }) {
                output.tap.withdraw(request, throwing: .cancelled(.capture, output.name))
            }
            state.withLock { $0.ending = .some(nil) }
            wake()
        }

        /// The number of photos not consumed yet.
        var waitingCount: Int { state.withLock { $0.photos.count } }

        /// Runs on the output's thread.
        private func take(_ kept: KeptFrame) {
            let (waiting, isOver) = state.withLock { ($0.photos.count, $0.ending != nil) }
            if isOver { return }
            guard waiting < Self.limit, output.claim() else {
                let error = waiting < Self.limit ? .tooManyPhotos(output.name) : Self.untaken(output.name)
                end(error)
                if let request = request.withLock({ $0 }) { output.tap.withdraw(request, throwing: error) }
                return
            }
            let number = state.withLock { state in
                defer { state.taken += 1 }
                return state.taken
            }
            output.encoders.async { [weak self, output, maker, modeSwitch] in
                var photo = Result { () throws(ObscuraError) in try maker.make(kept) }
                if let modeSwitch, case .success(var made) = photo {
                    made.modeSwitch = modeSwitch
                    photo = .success(made)
                }
                output.release()
                self?.state.withLock { [photo] in $0.photos[number] = photo }
                self?.wake()
            }
        }

        private func end(_ error: ObscuraError?) {
            state.withLock { state in
                if state.ending == nil { state.ending = .some(error) }
            }
            wake()
        }

        private func wake() {
            let waiter = state.withLock { state in
                defer { state.waiter = nil }
                return state.waiter
            }
            waiter?.resume()
        }

        private static func untaken(_ name: String) -> ObscuraError {
            ObscuraError(
                .capture, .outOfBuffers, subject: name,
                reason: "the burst was stopped, because \(limit) photos were queued but not read",
                advice: "Read the photos while the burst runs: for try await photo in burst.")
        }
    }
}
