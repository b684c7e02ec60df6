// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Logging
internal import Obscura
internal import ObscuraBase
internal import ObscuraLibrary

/// One use of a picker: the photos and movies in its workspace, and its end. The ribbon of the Studio is the selection, in
/// the user's order.
final class PickerSession: Sendable {
    struct Origin {
        let source: MediaPickerConfiguration.Source
        var original: String?
        /// The name that the file gets in the output folder; nil for the one in the workspace.
        var name: String?
    }

    private enum Phase {
        case open, finishing, ended
    }

    private struct State {
        var phase = Phase.open
        var origins: [String: Origin] = [:]
        /// The selection that was last reported as events.
        var reported: [String] = []
    }

    let configuration: MediaPickerConfiguration
    let studio: Studio
    let description: PickerDescription
    /// Nil without a library.
    let library: PickerLibrary?
    let overlay: PickerOverlay?
    let downloads = PickerDownloads()
    /// The result; an empty one if the user canceled.
    let results: AsyncThrowingStream<[PickedMedia], any Error>
    private let result: AsyncThrowingStream<[PickedMedia], any Error>.Continuation
    private let folder: PickerFolder
    private let state = Lock(State())

    /// Opens the photo library and the camera. Without a camera or a library, the other sources remain.
    init(
        _ configuration: MediaPickerConfiguration, in folder: PickerFolder, devices: StudioDevices, logger: Logger
    ) async throws {
        self.configuration = configuration
        self.folder = folder
        var rules = StudioRules()
        rules.kinds = configuration.kinds
        rules.mostItems = configuration.maximumCount
        rules.longestMovie = configuration.maximumMovieDuration
        rules.ratios = configuration.cropRatios
        rules.allowsEditing = configuration.allowsEditing
        rules.allowsRotation = configuration.allowsRotation
        rules.allowsDevices = false
        rules.enhancesPhotos = configuration.enhancesPhotos
        studio = Studio(
            folder: try MediaFolder(path: folder.workspace), devices: devices, rules: rules, keepsRibbon: false,
            logger: logger)
        overlay = try configuration.overlay.map { path throws(ObscuraError) in try PickerOverlay(path) }
        var failure: (any Error)?
        var sources = configuration.sources
        var library: PickerLibrary?
        if sources.contains(.library) {
            do {
                library = try await PickerLibrary(configuration)
            } catch {
                failure = error
                sources.remove(.library)
                // A user who has no library yet is nothing special.
                logger.log(
                    level: error.code == .notFound ? .debug : .notice,
                    "the media picker has no library: \(error.reason)")
            }
        }
        self.library = library
        if sources.contains(.camera) {
            do {
                try await studio.add(named: configuration.camera, preset: configuration.preset)
            } catch {
                failure = error
                sources.remove(.camera)
                let reason = (error as? ObscuraError)?.reason ?? "\(error)"
                logger.notice("the media picker has no camera: \(reason)")
            }
        }
        // A page on which nothing can be done helps nobody.
        let isUseful = configuration.showsControls ? !sources.isEmpty : sources.contains(.camera)
        if !isUseful, let failure { throw failure }
        description = PickerDescription(configuration, sources: sources)
        (results, result) = AsyncThrowingStream.makeStream(
            of: [PickedMedia].self, bufferingPolicy: .bufferingOldest(1))
    }

    // MARK: Items

    func origin(of name: String) -> Origin? { state.withLock { $0.origins[name] } }

    func setOrigin(_ origin: Origin?, of name: String) { state.withLock { $0.origins[name] = origin } }

    /// Reports the changes of the selection since the last call. Events are in the order of the changes.
    func report(to event: AsyncStream<MediaPickerEvent>.Continuation) {
        state.withLock { state in
            let (old, new) = (state.reported, studio.recentMedia.names)
            state.reported = new
            let (oldSet, newSet) = (Set(old), Set(new))
            let (removed, added) = (old.filter { !newSet.contains($0) }, new.filter { !oldSet.contains($0) })
            for name in removed { event.yield(.removed(name: name)) }
            for name in added { event.yield(.added(name: name, from: state.origins[name]?.source ?? .camera)) }
            // Those that stay, followed by the added ones, is the order that the events above tell.
            if new != old.filter(newSet.contains) + added { event.yield(.moved(names: new)) }
        }
    }

    // MARK: End

    /// Ends without a result.
    ///
    /// - Throws: ``ObscuraError/Code/wrongState`` while the selection is being returned.
    func cancel() throws(ObscuraError) {
        try enter(.ended)
        end(with: .success([]))
    }

    /// Ends with an error.
    func fail(with error: ObscuraError) {
        state.withLock { $0.phase = .ended }
        end(with: .failure(error))
    }

    /// Moves the selection to the output folder, and ends.
    ///
    /// - Throws: ``ObscuraError/Code/wrongState`` if there are too few items, or something is in progress; `diskFull` and
    ///   others. Everything is then as before.
    func finish() async throws {
        try enter(.finishing)
        do {
            try studio.changes.close()
            do {
                let picked = try await publish()
                state.withLock { $0.phase = .ended }
                end(with: .success(picked))
            } catch {
                studio.changes.reopen()
                throw error
            }
        } catch {
            state.withLock { $0.phase = .open }
            throw error
        }
    }

    private func enter(_ phase: Phase) throws(ObscuraError) {
        try state.withLock { state throws(ObscuraError) in
            guard state.phase == .open else {
                throw ObscuraError(
                    .studio, .wrongState, subject: "selection", reason: "it was already confirmed or canceled")
            }
            state.phase = phase
        }
    }

    private func end(with outcome: Result<[PickedMedia], any Error>) {
        switch outcome {
        case .success(let picked):
            result.yield(picked)
            result.finish()
        case .failure(let error): result.finish(throwing: error)
        }
    }

    private func publish() async throws -> [PickedMedia] {
        guard !studio.cameras.contains(where: \.isRecording) else {
            throw ObscuraError(
                .studio, .wrongState, subject: "selection", reason: "a movie is being recorded",
                advice: "Stop the recording first.")
        }
        let names = studio.recentMedia.names
        let items = try await studio.folder.items(named: names)
        guard items.count == names.count else {
            throw ObscuraError(.studio, .failed, subject: "selection", reason: "a file of the selection was deleted")
        }
        guard items.count >= configuration.minimumCount else {
            let least = configuration.minimumCount
            throw ObscuraError(
                .studio, .wrongState, subject: "selection",
                reason: "at least \(least) \(least == 1 ? "item is" : "items are") required",
                advice: "Add a photo or movie first.")
        }
        try studio.rules.checkRoom(for: items.count, beside: 0)
        // What can fail for want of space or memory comes first. Then the files only get their names.
        var made: [MediaItem] = []
        for item in items { made.append(item.recipe == nil ? item : try await studio.folder.export(item.name)) }
        let files = zip(items, made).map { item, made in
            (file: made.name, name: origin(of: item.name)?.name ?? item.name)
        }
        let paths = try await studio.folder.run(about: "selection") { [folder, files] in try folder.publish(files) }
        return zip(zip(items, made), paths).map { items, path in
            let (item, made) = items
            let origin = origin(of: item.name)
            return PickedMedia(
                path: path, kind: made.kind, size: made.pixelSize, duration: made.duration,
                source: origin?.source ?? .camera, original: origin?.original)
        }
    }
}
