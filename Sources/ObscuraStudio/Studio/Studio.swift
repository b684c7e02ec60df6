// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Logging
internal import Obscura
internal import ObscuraBase

/// What a Studio has: its cameras, its folder, and what was taken in this visit. The server and the pages speak to it.
final class Studio: Sendable {
    private struct State {
        var cameras: [StudioCamera] = []
        var nextCamera = 1
        var devices = DeviceLists()
        /// What the ribbon shows; nil when it is to be read anew.
        var visitItems: [MediaItem]?
        var libraryChanges = 0
        var revision: Revision = 0
    }

    let folder: MediaFolder
    let recentMedia: RecentMedia
    let devices: StudioDevices
    let announcer = Announcer()
    let allowsSources: Bool
    let freeSpace: FreeSpace
    let logger: Logger
    private let state = Lock(State())
    private let idlePatience: Duration

    /// Most cameras at once.
    static let mostCameras = 16

    init(
        folder: MediaFolder, devices: StudioDevices = .machine, allowsSources: Bool = false,
        idlePatience: Duration = .seconds(10), logger: Logger
    ) {
        self.folder = folder
        self.devices = devices
        self.allowsSources = allowsSources
        self.idlePatience = idlePatience
        self.logger = logger
        recentMedia = RecentMedia()
        freeSpace = FreeSpace(of: folder)
        recentMedia.onChange = { [weak self] in self?.noteLibraryChange() }
    }

    /// Something of the folder is another: a photo, a recipe, the order of the ribbon.
    func noteLibraryChange() {
        state.withLock { state in
            state.visitItems = nil
            state.libraryChanges += 1
        }
        announcer.noteChange()
    }

    // MARK: Cameras

    var cameras: [StudioCamera] { state.withLock { $0.cameras } }

    func camera(_ id: String) throws(ObscuraError) -> StudioCamera {
        guard let camera = cameras.first(where: { $0.id == id }) else { throw .noSuchCamera }
        return camera
    }

    /// A camera for the device; one that is there already is not added again.
    @discardableResult
    func add(_ device: CaptureDevice) throws(ObscuraError) -> StudioCamera {
        let camera = try state.withLock { state throws(ObscuraError) in
            if let camera = state.cameras.first(where: { $0.device == device }) { return camera }
            guard state.cameras.count < Self.mostCameras else {
                throw ObscuraError(
                    .studio, .tooMuch, subject: "cameras", reason: "the Studio has \(Self.mostCameras) already",
                    advice: "Close one first.")
            }
            let camera = StudioCamera(
                id: "\(state.nextCamera)", device: device, devices: devices, announcer: announcer,
                idlePatience: idlePatience, logger: logger
            ) { [recentMedia] name, result in
                if result.isUsable { recentMedia.append(name) }
            }
            state.nextCamera += 1
            state.cameras.append(camera)
            return camera
        }
        announcer.noteChange()
        return camera
    }

    /// The camera that whoever starts the Studio names.
    func add(named name: String) async throws {
        try add(try await devices.onWorker { [devices] in try devices.named(name) })
    }

    /// The camera that a request asks for.
    func add(_ request: CameraRequest) async throws -> StudioCamera {
        if let id = request.device {
            let device = try await devices.onWorker { [devices] in try devices.device(id, .video) }
            return try add(device)
        }
        guard allowsSources else { throw Self.noSources }
        let name = try await source(of: request)
        return try add(try await devices.onWorker { [devices] in try devices.named(name) })
    }

    /// The name of a source that a page asks for: an address, or a file of the folder, and nothing else.
    private func source(of request: CameraRequest) async throws -> String {
        if let file = request.file {
            // Opened once as the folder opens files: what is no file of its own, or a link, goes no further.
            _ = try await folder.open(file)
            return "\(folder.path)/\(file)"
        }
        guard let address = request.source else {
            throw ObscuraError(
                .studio, .invalidRequest, subject: "camera", reason: "it needs a device, a source or a file")
        }
        // No spaces and no control characters: what is behind a line's end would be another address to somebody.
        let text = address.lowercased()
        guard Self.schemes.contains(where: { text.hasPrefix("\($0)://") }),
            !Self.waitsForCallers(text),
            address.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
        else {
            throw ObscuraError(
                .studio, .invalidRequest, subject: "source", reason: "it is no address that a page may name",
                advice: "It begins with one of: \(Self.schemes.sorted().map { $0 + "://" }.joined(separator: ", ")).")
        }
        return address
    }

    /// Whether the address would wait for others to come, on a port that a page has chosen.
    private static func waitsForCallers(_ address: String) -> Bool {
        guard let query = address.firstIndex(of: "?") else { return false }
        // What FFmpeg takes of a name that is there twice is its own affair: each of them must call.
        return address[address.index(after: query)...].split(whereSeparator: "?&".contains)
            .contains { $0.hasPrefix("mode=") && $0 != "mode=caller" }
    }

    private static let schemes: Set = ["rtsp", "rtsps", "http", "https", "rtmp", "rtmps", "srt"]
    static let noSources = ObscuraError(
        .studio, .notAllowed, subject: "sources", reason: "this Studio takes no sources from pages",
        remedy: .allowSources)

    func removeCamera(_ id: String) async throws {
        let camera = try camera(id)
        state.withLock { state in state.cameras.removeAll { $0 === camera } }
        announcer.noteChange()
        await camera.remove()
    }

    /// Ends everything: recordings become whole, cameras stop.
    func close() async {
        let cameras = state.withLock { state in
            defer { state.cameras.removeAll() }
            return state.cameras
        }
        await withTaskGroup { group in
            for camera in cameras { group.addTask { await camera.remove() } }
        }
    }

    // MARK: Devices

    /// Keeps the list of devices, and listens to what comes and goes, until it is cancelled.
    func watchDevices() async {
        let events = devices.events()
        await listDevices()
        for await _ in events { await listDevices() }
    }

    private func listDevices() async {
        guard let lists = try? await devices.onWorker({ [devices] in devices.description }) else { return }
        let isOther = state.withLock { state in
            defer { state.devices = lists }
            return state.devices != lists
        }
        if isOther { announcer.noteChange() }
    }

    var deviceLists: DeviceLists { state.withLock { $0.devices } }

    // MARK: What pages see

    /// May read the folder.
    func description() async -> StudioState {
        let revision = nextRevision()
        let freeSpace = freeSpace.bytes
        let items = await visitItems()
        let lists = deviceLists
        return StudioState(
            revision: revision, allowsSources: allowsSources, hasMicrophones: !lists.microphones.isEmpty,
            cameras: cameras.map {
                $0.description(revision: revision, listed: lists.cameraIDs, freeSpace: freeSpace)
            },
            devices: lists, freeSpace: freeSpace, visit: items)
    }

    func description(of camera: StudioCamera) -> CameraDescription {
        camera.description(revision: nextRevision(), listed: deviceLists.cameraIDs, freeSpace: freeSpace.bytes)
    }

    private func nextRevision() -> Revision {
        state.withLock { state in
            state.revision += 1
            return state.revision
        }
    }

    private func visitItems() async -> [MediaItem] {
        let (known, changes) = state.withLock { ($0.visitItems, $0.libraryChanges) }
        if let known { return known }
        let items = await items(recentMedia.names)
        state.withLock { state in
            // Something may have changed meanwhile.
            if state.libraryChanges == changes { state.visitItems = items }
        }
        return items
    }

    /// What the folder has under these names; what is gone is left out.
    func items(_ names: [String]) async -> [MediaItem] {
        (try? await folder.items(named: names)) ?? []
    }
}
