// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Foundation
internal import Hummingbird
public import Logging
public import Obscura
internal import ObscuraBase
public import ObscuraLibrary
internal import ObscuraWeb

/// A page in a browser on which a user takes photos and movies, or chooses existing ones, for a program.
///
/// ```swift
/// var configuration = MediaPickerConfiguration()
/// configuration.maximumCount = 5
/// configuration.kinds = [.photo]
/// for picked in try await MediaPicker(configuration).pick() { print(picked.path) }
/// ```
///
/// Only this machine can connect, and the page needs the access token in its address. A picker can be used several
/// times, but a process shows one page at a time.
public final class MediaPicker: Sendable {
    /// The events of the page: its opening, the user's actions, and its end. Only one task at a time can iterate over
    /// the events. The stream buffers 1000 unread events; if there are more, the oldest are dropped.
    public let events: AsyncStream<MediaPickerEvent>

    private let event: AsyncStream<MediaPickerEvent>.Continuation
    private let configuration: MediaPickerConfiguration
    private let devices: StudioDevices
    private let logger: Logger
    /// The open page; nil without one.
    let session = Lock<PickerSession?>(nil)

    /// The one page of the process.
    private static let isOpen = Lock(false)
    private static let worker = WorkerPool(name: "picker", threads: 1)

    /// Creates a picker. Opens no page.
    ///
    /// - Parameters:
    ///   - configuration: the sources, the limits, and the texts.
    ///   - logger: the logger; nil creates one with the label `obscura.studio` and the level `notice`.
    /// - Throws: ``ObscuraError/Code/invalidConfiguration`` for contradictory settings.
    public convenience init(
        _ configuration: MediaPickerConfiguration = MediaPickerConfiguration(), logger: Logger? = nil
    ) throws(ObscuraError) {
        try self.init(configuration, devices: .machine, logger: logger ?? StudioServer.usualLogger)
    }

    /// - Parameter devices: a replacement for the devices of this machine.
    package init(
        _ configuration: MediaPickerConfiguration, devices: StudioDevices, logger: Logger
    ) throws(ObscuraError) {
        try configuration.check()
        self.configuration = configuration
        self.devices = devices
        self.logger = logger
        (events, event) = AsyncStream.makeStream(of: MediaPickerEvent.self, bufferingPolicy: .bufferingNewest(1000))
    }

    /// Returns whether users can add photos or movies from this source. For `library`, checks the folder
    /// `MediaLibrary.defaultPath`. Blocks the thread while cameras or folders are queried.
    public static func isAvailable(_ source: MediaPickerConfiguration.Source) -> Bool {
        !availableMediaTypes(for: source).isEmpty
    }

    /// Returns the kinds of items that users can add from this source; empty if the source is not available. For
    /// `library`, checks the folder `MediaLibrary.defaultPath`. Blocks the thread while cameras or folders are queried.
    public static func availableMediaTypes(for source: MediaPickerConfiguration.Source) -> Set<LibraryItem.Kind> {
        let isAvailable =
            switch source {
            case .camera: !CaptureDevice.DiscoverySession(mediaType: .video).devices.isEmpty
            case .library: MediaLibrary.authorizationStatus(forFolder: MediaLibrary.defaultPath) != .none
            case .disk, .network: true
            }
        return isAvailable ? Set(LibraryItem.Kind.allCases) : []
    }

    /// Opens the page, and suspends until the user has finished.
    ///
    /// - Parameter open: shows the address to the user, such as in a web view; called on any thread as soon as the page
    ///   can be opened. By default, the page opens in the user's browser.
    /// - Returns: the photos and movies in the user's order; an empty list if the user canceled.
    /// - Throws: ``ObscuraError``: `wrongState` if another picker of this process is open, `cannotListen`,
    ///   `missingResources`, `notWritable`, `failed` if no browser can be opened, and the errors of the camera.
    ///   `CancellationError` if the task is cancelled.
    public func pick(
        open: (@Sendable (_ address: String) -> Void)? = nil
    ) async throws -> [PickedMedia] {
        let isFirst = Self.isOpen.withLock { isOpen in
            defer { isOpen = true }
            return !isOpen
        }
        guard isFirst else {
            throw ObscuraError(
                .studio, .wrongState, subject: "media picker", reason: "another media picker is open",
                advice: "Wait until that media picker has ended.")
        }
        defer {
            Self.isOpen.withLock { $0 = false }
            event.yield(.ended)
        }
        let folder = try await Self.worker.run { [configuration] () throws(ObscuraError) in
            try PickerFolder(configuration.outputFolder)
        }
        let result: Result<[PickedMedia], any Error>
        do {
            let session = try await PickerSession(configuration, in: folder, devices: devices, logger: logger)
            result = .success(try await run(session, open))
        } catch {
            result = .failure(error)
        }
        session.withLock { $0 = nil }
        // Also after a cancellation, which the pool does not notice.
        await Self.worker.run { [result] in
            if case .failure = result { folder.withdraw() }
            folder.clean()
        }
        return try result.get()
    }

    private func run(
        _ session: PickerSession, _ open: (@Sendable (String) -> Void)?
    ) async throws -> [PickedMedia] {
        try await session.addPreselected()
        var server = StudioConfiguration(libraryFolder: session.studio.folder.path)
        server.port = configuration.port
        let service = try StudioService(
            session.studio, server, limits: RequestLimits(), logger: logger
        ) { router, pages throws(ObscuraError) in
            StateRoutes(studio: session.studio, pages: pages).add(to: router)
            CameraRoutes(studio: session.studio).add(to: router)
            PictureRoutes(studio: session.studio).add(to: router)
            LibraryRoutes(studio: session.studio).addRibbon(to: router)
            PickerRoutes(session: session).add(to: router)
            try PageResources.studio().addRoutes(to: router, home: "pick.html")
        }
        let listener = session.studio.announcer.add(
            .init(
                onChange: { [event] in session.report(to: event) },
                onEdit: { [event] in event.yield(.edited(name: $0)) }))
        defer { session.studio.announcer.remove(listener) }
        // Those that are preselected.
        session.report(to: event)
        self.session.withLock { $0 = session }
        let opener = BrowserOpener()
        defer { opener.close() }
        return try await withThrowingTaskGroup(of: [PickedMedia]?.self) { group in
            group.addTask { [event] in
                try await service.run { address in
                    event.yield(.opened(address: address))
                    if let open { return open(address) }
                    if !opener.open(address) { session.fail(with: .noBrowser) }
                }
                return nil
            }
            group.addTask {
                for try await picked in session.results { return picked }
                return nil
            }
            var picked: [PickedMedia]?
            // The page that has sent the result still receives its answer: the server ends in an orderly way.
            while let value = try await group.next() {
                if let value { picked = value }
                service.pages.announceEnd()
                // A request may wait for it, also after a cancellation.
                session.library?.stop()
                group.cancelAll()
            }
            guard let picked else { throw CancellationError() }
            return picked
        }
    }

    // MARK: Control by the program

    /// Takes a photo with the camera of the open page, as the shutter button does.
    ///
    /// - Throws: ``ObscuraError``: `wrongState` if no page is open, or if the maximum number of photos and movies is
    ///   reached; and the errors of the camera.
    public func takePhoto() async throws {
        let (session, camera) = try current()
        var request = PhotosRequest()
        request.flash = configuration.flash
        _ = try await session.studio.takePhotos(request, with: camera, pressedAt: .now)
    }

    /// Starts to record a movie.
    ///
    /// - Throws: ``ObscuraError`` as ``takePhoto()``.
    public func startRecording() async throws {
        let (session, camera) = try current()
        try await session.studio.startRecording(RecordingRequest(), with: camera)
    }

    /// Stops the recording, and suspends until the movie is complete.
    ///
    /// - Throws: ``ObscuraError``: `wrongState` if no recording is in progress; the error of the movie if it could not
    ///   be saved, such as a movie without frames.
    public func stopRecording() async throws {
        let (name, result) = try await current().camera.stopRecording()
        guard !result.isUsable else { return }
        throw result.error
            ?? ObscuraError(
                .studio, .failed, subject: name, reason: "nothing was recorded", advice: "Record for a longer time.")
    }

    /// Ends the page, so that ``pick(open:)`` returns the selected photos and movies.
    ///
    /// - Throws: ``ObscuraError``: `wrongState` if too few photos and movies are selected, or if a recording is in
    ///   progress; `diskFull`.
    public func finish() async throws { try await openSession().finish() }

    /// Ends the page, so that ``pick(open:)`` returns an empty list. Has no effect if no page is open, or if
    /// ``finish()`` is already returning the selection.
    public func cancel() { try? session.withLock(\.self)?.cancel() }

    private func openSession() throws(ObscuraError) -> PickerSession {
        guard let session = session.withLock(\.self) else {
            throw ObscuraError(
                .studio, .wrongState, subject: "media picker", reason: "its page is not open",
                advice: "Call pick() first.")
        }
        return session
    }

    private func current() throws(ObscuraError) -> (session: PickerSession, camera: StudioCamera) {
        let session = try openSession()
        guard let camera = session.studio.cameras.first else { throw .noSuchCamera }
        return (session, camera)
    }
}

extension ObscuraError {
    fileprivate static let noBrowser = ObscuraError(
        .studio, .failed, subject: "media picker",
        reason: "no browser can be opened: there is no display or no xdg-open",
        advice: "Pass a function to pick(open:) that opens the address in another way.")
}
