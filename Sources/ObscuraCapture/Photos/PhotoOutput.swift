// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraImaging
public import ObscuraMedia

/// Takes photos of a running session, while its frames keep flowing.
///
/// ```swift
/// let photos = PhotoOutput()
/// try await session.configure { try $0.addOutput(photos) }
/// var settings = PhotoSettings()
/// settings.metadata.title = "Morning"
/// let photo = try await photos.capture(settings)
/// try await photo.write(to: "morning.jpg")
/// ```
///
/// It keeps the last few frames, so that the photo is the frame that was on the screen when the button was pressed,
/// and not one that came later. What lies in a driver's memory is copied for that, on a thread of the output's own;
/// compressed frames are kept as they are, and decoded only when they become a photo. These frames count as held
/// by the output in the session's ledger, and as delivered when it takes them.
///
/// Several captures may be under way at once. Those that change something of the camera (its mode, its lamp) take
/// turns.
///
/// Thread-safe. `Sendable` is proved by the properties: constants and locks.
public final class PhotoOutput: CaptureOutput, @unchecked Sendable {
    /// Its link to an input, with the turn and the mirror of photos that ask for none of their own.
    public let connection: CaptureConnection
    /// How many of the newest frames are kept.
    public let recentFrames: Int

    let tap: PhotoRequestQueue
    let cameraMutex = AsyncMutex()
    /// Photos are made here, several at a time; the camera comes first.
    let encoders = WorkerPool(name: "stills", threads: max(2, WorkerPool.coreCount), niceness: 10)
    /// Frames that are on their way to be photos.
    private let inHand = Lock(0)
    private let readers = Lock(0)

    /// How many frames may be on their way to be photos at once, over all captures of one output.
    static let inHandLimit = 16
    /// How many frames may be held beside the recent ones: those in hand, and some for photos that keep theirs.
    private static let heldLimit = inHandLimit + 4

    /// - Parameters:
    ///   - name: for accounts and messages.
    ///   - recentFrames: how many of the newest frames are kept, 0 to 30. With 0 a photo is the next frame that
    ///     comes.
    public convenience init(name: String = "photo", recentFrames: Int = 3) {
        self.init(name: name, recentFrames: recentFrames, patience: .seconds(10))
    }

    /// - Parameter patience: how long a capture waits for a frame.
    package init(name: String = "photo", recentFrames: Int = 3, patience: Duration) {
        self.recentFrames = min(max(0, recentFrames), 30)
        connection = CaptureConnection(outputName: name, mediaType: .video)
        tap = PhotoRequestQueue(name: name, depth: self.recentFrames, limit: Self.heldLimit, patience: patience)
        super.init(name: name, connection: connection)
    }

    deinit {
        tap.close(throwing: .cancelled(.capture, name))
    }

    // MARK: Photos

    /// Takes a photo.
    ///
    /// It is the frame that was on the screen at `pressedAt`: the newest one that was taken by then; the oldest
    /// that is kept, if that moment is longer ago. For a moment that is still to come it waits. A photo with the
    /// flash, or for which the camera is switched to another mode, is taken as soon as the camera is ready.
    ///
    /// Waits for a frame for 10 s at most. Cancelling the task ends the wait; what was changed of the camera is undone
    /// also then.
    ///
    /// - Parameters:
    ///   - settings: what the photo is to be.
    ///   - pressedAt: the moment of the photo, on CLOCK_MONOTONIC.
    /// - Throws: ``ObscuraError``: `notRunning` when the session does not run, or its source is at its end,
    ///   `cancelled` when the session or the task was stopped meanwhile, `timedOut` when no frame came,
    ///   `outOfBuffers` when too many photos are being made, `unsupportedControl` for a flash on a camera that has
    ///   none, `invalidConfiguration` for settings of which there can be no photo, and what the camera says.
    nonisolated(nonsending) public func capture(
        _ settings: PhotoSettings = PhotoSettings(), pressedAt: HostTime = .now
    ) async throws(ObscuraError) -> Photo {
        let camera = try camera(for: settings)
        guard await camera.needsPreparing(settings, isBusy: cameraMutex.isLocked, on: encoders) else {
            let kept = try await frame(PhotoSchedule(.onScreen(pressedAt)))
            return try await make(kept, settings, camera, flashFired: nil)
        }
        guard await cameraMutex.lock() == .locked else { throw .cancelled(.capture, name) }
        defer { cameraMutex.unlock() }
        return try await capturePrepared(settings, camera, pressedAt)
    }

    /// Takes so many photos at an interval, by the frames' own times: each is the frame nearest to its moment, also
    /// when making photos takes longer than the interval. The first one is that of ``capture(_:pressedAt:)``.
    ///
    /// The photos are made on all cores while the next ones are taken. The burst begins at once, also when nobody
    /// takes its photos yet; at most 64 wait.
    ///
    /// - Parameters:
    ///   - count: how many, at least 1.
    ///   - interval: from one to the next; zero takes every frame.
    ///   - settings: what the photos are to be. The LED is lit, and the camera's mode stays, for the whole burst.
    ///   - pressedAt: the moment of the first one.
    /// - Returns: the photos as they come, in order. Letting go of it ends the burst.
    /// - Throws: as ``capture(_:pressedAt:)``.
    nonisolated(nonsending) public func captureBurst(
        count: Int, interval: Duration, settings: PhotoSettings = PhotoSettings(), pressedAt: HostTime = .now
    ) async throws(ObscuraError) -> PhotoBurst {
        guard count >= 1, interval >= .zero else {
            throw .invalidConfiguration(name, "a burst has at least one photo, and no negative interval")
        }
        let camera = try camera(for: settings)
        var preparation: PhotoPreparation?
        if await camera.needsPreparing(settings, isBusy: cameraMutex.isLocked, on: encoders) {
            guard await cameraMutex.lock() == .locked else { throw .cancelled(.capture, name) }
            do throws(ObscuraError) {
                preparation = try await prepare(settings, camera, pressedAt)
            } catch {
                cameraMutex.unlock()
                throw error
            }
        }
        let facts = await facts(of: camera, preparation?.flashFired)
        let run = PhotoBurst.Run(
            output: self, maker: maker(settings, facts), modeSwitch: preparation.flatMap { modeSwitch(of: $0) },
            onEnd: { [cameraMutex, encoders, preparation] in
                guard let preparation else { return }
                preparation.undoSoon(on: encoders) { cameraMutex.unlock() }
            })
        let begin = preparation?.begin ?? .onScreen(pressedAt)
        run.start(PhotoSchedule(begin, count: count, interval: MediaTime(interval)))
        return PhotoBurst(run: run)
    }

    // MARK: Parts of a capture

    /// A frame for a photo. Counts as in hand until ``make(_:_:_:flashFired:)`` is done with it.
    nonisolated(nonsending) func frame(_ schedule: PhotoSchedule) async throws(ObscuraError) -> KeptFrame {
        try await next(schedule, isolation: #isolation).get()
    }

    private func next(
        _ schedule: PhotoSchedule, isolation actor: isolated (any Actor)?
    ) async -> Result<KeptFrame, ObscuraError> {
        let answer = PhotoResult()
        let request = PhotoRequest(
            onFrame: { answer.give(.success($0)) },
            onEnd: { error in if let error { answer.give(.failure(error)) } })
        return await withTaskCancellationHandler(
            operation: {
                await withCheckedContinuation(isolation: actor) { continuation in
                    answer.ask(continuation)
                    tap.add(request, schedule)
                }
            },
            onCancel: { tap.withdraw(request, throwing: .cancelled(.capture, name)) },
            isolation: actor)
    }

    nonisolated(nonsending) func make(
        _ kept: KeptFrame, _ settings: PhotoSettings, _ camera: PhotoCamera, flashFired: Bool?
    ) async throws(ObscuraError) -> Photo {
        guard claim() else { throw .tooManyPhotos(name) }
        let photo = await encoders.run { [self] in
            defer { release() }
            var facts = camera.input.device.photoMetadata()
            if let flashFired { facts.setFlash(flashFired) }
            let maker = maker(settings, facts)
            return Result { () throws(ObscuraError) in try maker.make(kept) }
        }
        if Task.isCancelled { throw .cancelled(.capture, name) }
        return try photo.get()
    }

    /// Room for one more frame that is to be a photo; false when there is none.
    func claim() -> Bool {
        inHand.withLock { count in
            guard count < Self.inHandLimit else { return false }
            count += 1
            return true
        }
    }

    func release() {
        inHand.withLock { $0 -= 1 }
    }

    func maker(_ settings: PhotoSettings, _ facts: Metadata) -> PhotoMaker {
        PhotoMaker(
            settings: settings, orientation: settings.orientation ?? connection.orientation,
            isMirrored: settings.isMirrored ?? connection.isMirrored, effects: settings.effects ?? connection.effects,
            device: facts, name: name)
    }

    // MARK: The session's side

    package override func sessionWillStop() -> [any RunningCallback] {
        tap.close(throwing: .cancelled(.capture, name))
        return super.sessionWillStop()
    }

    package override func sessionWillStart() {
        super.sessionWillStart()
        if tap.hasEnded {
            tap.close(throwing: .ended(name))
            for reader in connection.readers { connection.detach(reader) }
        }
        let number = readers.withLock { number in
            number += 1
            return number
        }
        let reader = FrameReader(
            name: "\(name) \(number)", policy: .bounded(4), leaseLimit: recentFrames + Self.heldLimit,
            deliversUpright: false, settings: { ImageRequest() }, onArrival: { [weak tap] in tap?.arrived() })
        if tap.open(reader) { connection.attach(reader) }
    }
}

extension ObscuraError {
    static func tooManyPhotos(_ name: String) -> ObscuraError {
        ObscuraError(
            .capture, .outOfBuffers, subject: name,
            reason: "\(PhotoOutput.inHandLimit) photos are being made, and more come than this machine can make",
            advice: "Take fewer at once, at a longer interval, or as smaller JPEGs.")
    }
}
