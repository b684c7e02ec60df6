// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraImaging
public import ObscuraMedia

/// An output that takes photos of a running session without interrupting its frames.
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
/// The output keeps the most recent frames. A photo is therefore the frame that was on screen when the shutter button
/// was pressed, not a later frame. Frames in a driver's memory are copied on a separate thread. Compressed frames are
/// kept compressed, and decoded only for a photo. In the session's statistics, the kept frames count both as held by
/// the output and as delivered.
///
/// A photo of a camera in ``PixelFormat/mjpeg`` contains the compressed frame of the camera, unchanged, if no setting
/// requires another image: see ``Photo/isCopied``. Otherwise the photo is encoded.
///
/// Several captures can run at once. Captures that change the mode or the LED of the camera run one after the other.
///
/// Thread-safe.
public final class PhotoOutput: CaptureOutput, @unchecked Sendable {  // Its properties are constants and locks.
    /// The connection to an input, with the default orientation and mirroring of photos.
    public let connection: CaptureConnection
    /// The number of most recent frames that are kept, from which photos are taken.
    public let recentFrames: Int

    let tap: PhotoRequestQueue
    /// Held by a capture that changes the camera.
    let cameraMutex = AsyncMutex()
    /// The threads that make photos, at a lower priority than capture.
    let encoders = WorkerPool(name: "stills", threads: max(2, WorkerPool.coreCount), niceness: 10)
    /// The number of frames that are becoming photos.
    private let inHand = Lock(0)
    private let readers = Lock(0)

    /// The maximum number of frames that are becoming photos at once, over all captures of one output.
    static let inHandLimit = 16
    /// The maximum number of frames held besides the recent ones: those becoming photos, and those that
    /// photos keep.
    private static let heldLimit = inHandLimit + 4

    /// Creates an output.
    ///
    /// - Parameters:
    ///   - name: the name in statistics and messages.
    ///   - recentFrames: the number of most recent frames to keep, 0 to 30. With 0 a photo is the next frame that
    ///     arrives.
    public convenience init(name: String = "photo", recentFrames: Int = 3) {
        self.init(name: name, recentFrames: recentFrames, patience: .seconds(10))
    }

    /// Creates an output.
    ///
    /// - Parameter patience: the time limit of waiting for a frame.
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
    /// The photo is the frame that was on screen at `pressedAt`: the newest frame captured at or before `pressedAt`. If
    /// all frames that the output keeps were captured later, the photo is the oldest of these frames. If `pressedAt` is
    /// in the future, the capture waits. If the photo requires flash or another mode of the camera, the photo is taken
    /// as soon as the camera is ready.
    ///
    /// Waits for a frame for at most 10 s. Cancelling the task ends the wait. The mode and the LED of the camera are
    /// restored even after a cancellation.
    ///
    /// - Parameters:
    ///   - settings: the settings of the photo.
    ///   - pressedAt: the time of the photo, on CLOCK_MONOTONIC.
    /// - Throws: ``ObscuraError``: `notRunning` if the session does not run or its source has ended; `cancelled` if the
    ///   session stops or the task is cancelled; `timedOut` if no frame arrives; `outOfBuffers` if too many photos are
    ///   being encoded or keep their frames; `unsupportedControl` if the settings require a flash that the camera does
    ///   not have; `invalidConfiguration` if the settings are invalid; `damaged` if the frame is a JPEG that is damaged,
    ///   has another size than the mode, or contains several images; errors of the camera.
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

    /// Takes several photos at a constant interval. Each photo is the frame nearest to its due time, even if encoding a
    /// photo takes longer than the interval. The first photo is chosen as in ``capture(_:pressedAt:)``.
    ///
    /// The photos are encoded on all cores while the next photos are taken. The burst begins at once, even before your
    /// code reads the photos. If 64 photos have not been read yet, the burst ends with
    /// ``ObscuraError/Code/outOfBuffers``.
    ///
    /// - Parameters:
    ///   - count: the number of photos, at least 1.
    ///   - interval: the time from one photo to the next; zero takes every frame.
    ///   - settings: the settings of the photos. The LED of a flash stays lit, and the camera stays in the mode of the
    ///     photos, for the whole burst.
    ///   - pressedAt: the time of the first photo, on CLOCK_MONOTONIC.
    /// - Returns: the photos in order, each as soon as it is encoded. Releasing the returned value ends the burst.
    /// - Throws: as ``capture(_:pressedAt:)``.
    nonisolated(nonsending) public func captureBurst(
        count: Int, interval: Duration, settings: PhotoSettings = PhotoSettings(), pressedAt: HostTime = .now
    ) async throws(ObscuraError) -> PhotoBurst {
        guard count >= 1, interval >= .zero else {
            throw .invalidConfiguration(name, "the count of a burst must be at least 1, and the interval at least 0")
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

    /// Returns a frame for a photo. It is counted in `inHand` until ``make(_:_:_:flashFired:)`` has
    /// finished with it.
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

    /// Reserves one of `inHandLimit` places for a frame; returns false if all are taken.
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

    // MARK: Session

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
            reason: "the maximum of \(PhotoOutput.inHandLimit) photos is already being encoded",
            advice: "Take fewer photos at once, at a longer interval, or as smaller JPEGs.")
    }
}
