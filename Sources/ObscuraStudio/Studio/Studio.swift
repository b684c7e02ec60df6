// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Logging
internal import Obscura
internal import ObscuraBase

/// The state of a Studio: its cameras, its folder and the items of this visit. Shared by the server and the pages.
final class Studio: Sendable {
    private struct State {
        var cameras: [StudioCamera] = []
        var nextCamera = 1
        var devices = DeviceLists()
        /// Items of the ribbon; nil if they must be read again.
        var visitItems: [MediaItem]?
        var libraryChanges = 0
        var revision: Revision = 0
    }

    let folder: MediaFolder
    let index: StudioIndex
    let recentMedia: RecentMedia
    let devices: StudioDevices
    let announcer = Announcer()
    let allowsSources: Bool
    let rules: StudioRules
    /// The changes of the ribbon and of its items that are in progress.
    let changes = RibbonChanges()
    let freeSpace: FreeSpace
    /// The places of deleted items in the ribbon, by their identifiers in the trash.
    let ribbonPlaces = Lock<[String: Int]>([:])
    let logger: Logger
    private let state = Lock(State())
    private let idlePatience: Duration

    /// Maximum number of cameras.
    static let mostCameras = 16

    init(
        folder: MediaFolder, devices: StudioDevices = .machine, allowsSources: Bool = false,
        rules: StudioRules = StudioRules(), keepsRibbon: Bool = true, idlePatience: Duration = .seconds(10),
        logger: Logger
    ) {
        self.rules = rules
        self.folder = folder
        index = StudioIndex(of: folder)
        self.devices = devices
        self.allowsSources = allowsSources
        self.idlePatience = idlePatience
        self.logger = logger
        let ribbon = keepsRibbon ? RibbonFile(folder.directory) : nil
        recentMedia = RecentMedia(names: ribbon?.read() ?? [])
        freeSpace = FreeSpace(of: folder)
        recentMedia.onChange = { [weak self, weak recentMedia] in
            ribbon?.save { [weak recentMedia] in recentMedia?.names }
            self?.noteLibraryChange()
        }
    }

    /// Notes that the folder has changed: a photo, a recipe, or the order of the ribbon.
    func noteLibraryChange() {
        index.invalidate()
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

    /// Adds a camera for the device, or returns the camera that already exists for it.
    ///
    /// - Parameter microphone: its microphone, unless another camera of the Studio uses it.
    @discardableResult
    func add(_ device: CaptureDevice, microphone: CaptureDevice? = nil) throws(ObscuraError) -> StudioCamera {
        let camera = try state.withLock { state throws(ObscuraError) in
            if let camera = state.cameras.first(where: { $0.device == device }) { return camera }
            guard state.cameras.count < Self.mostCameras else {
                throw ObscuraError(
                    .studio, .tooMuch, subject: "cameras", reason: "the Studio already has \(Self.mostCameras) cameras",
                    advice: "Close a camera first.")
            }
            let isFree = !state.cameras.contains { $0.microphone == microphone }
            let camera = StudioCamera(
                id: "\(state.nextCamera)", device: device, microphone: isFree ? microphone : nil, devices: devices,
                announcer: announcer,
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

    /// Adds a camera that the Studio's configuration names.
    ///
    /// - Parameter preset: the quality; nil for the default.
    func add(named name: String, preset: CaptureSession.Preset? = nil) async throws {
        let camera = try await addWithSound(try await devices.onWorker { [devices] in try devices.named(name) })
        guard let preset else { return }
        var change = CameraChange()
        change.preset = preset
        try await camera.apply(change)
    }

    /// Adds a camera. A camera of this machine gets the default microphone, so that its movies have sound; files and
    /// addresses have their own.
    @discardableResult
    private func addWithSound(_ device: CaptureDevice) async throws -> StudioCamera {
        let microphone = try await devices.onWorker { [devices] in
            devices.list(.video).contains(device) ? devices.list(.audio).first : nil
        }
        return try add(device, microphone: microphone)
    }

    /// Adds a camera that a page requests.
    func add(_ request: CameraRequest) async throws -> StudioCamera {
        guard rules.allowsDevices else { throw Self.noDevices }
        if let id = request.device {
            return try await addWithSound(try await devices.onWorker { [devices] in try devices.device(id, .video) })
        }
        guard allowsSources else { throw Self.noSources }
        let name = try await source(of: request)
        return try add(try await devices.onWorker { [devices] in try devices.named(name) })
    }

    /// Returns the name of the source that a page requests: an address or a file in the folder. Other names are
    /// rejected.
    private func source(of request: CameraRequest) async throws -> String {
        if let file = request.file {
            // Opened by the rules of the folder: a link, or anything that is not a regular file, is rejected.
            _ = try await folder.open(file)
            return "\(folder.path)/\(file)"
        }
        guard let address = request.source else {
            throw ObscuraError(
                .studio, .invalidRequest, subject: "camera",
                reason: "the request must name a device, a source or a file")
        }
        // No spaces or control characters: a parser that splits lines would find a second address behind a line break. Only
        // ASCII: with a combining character, "?" is another character for Swift, but not for FFmpeg.
        let text = address.lowercased()
        guard Self.schemes.contains(where: { text.hasPrefix("\($0)://") }),
            !Self.waitsForCallers(text),
            address.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else {
            throw ObscuraError(
                .studio, .invalidRequest, subject: "source", reason: "pages are not allowed to open this address",
                advice: "Use an address with \(Self.schemes.sorted().map { $0 + "://" }.joined(separator: ", ")).")
        }
        return address
    }

    /// Whether the address would make this machine listen for callers, on a port that a page has chosen.
    private static func waitsForCallers(_ address: String) -> Bool {
        guard let query = address.firstIndex(of: "?") else { return false }
        // FFmpeg may use either of two parameters with the same name, so each of them must select the caller mode.
        return address[address.index(after: query)...].split(whereSeparator: "?&".contains)
            .contains { $0.hasPrefix("mode=") && $0 != "mode=caller" }
    }

    private static let schemes: Set = ["rtsp", "rtsps", "http", "https", "rtmp", "rtmps", "srt"]
    static let noSources = ObscuraError(
        .studio, .notAllowed, subject: "sources", reason: "pages are not allowed to add sources to this Studio",
        remedy: .allowSources)

    static let noDevices = ObscuraError(
        .studio, .notAllowed, subject: "camera",
        reason: "this program does not allow its page to add, remove or replace cameras and microphones")

    /// Removes a camera that a page closes.
    func removeCamera(_ id: String) async throws {
        guard rules.allowsDevices else { throw Self.noDevices }
        let camera = try camera(id)
        state.withLock { state in state.cameras.removeAll { $0 === camera } }
        announcer.noteChange()
        await camera.remove()
    }

    /// Stops everything: finishes the recordings and stops the cameras.
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

    /// Maintains the list of devices as they are connected and disconnected, until the task is cancelled.
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

    // MARK: State for pages

    /// Returns the state for pages. May read the folder.
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

    /// Returns a revision that is greater than those of all states so far.
    func nextRevision() -> Revision {
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
            // The folder may have changed in the meantime.
            if state.libraryChanges == changes { state.visitItems = items }
        }
        return items
    }

    /// Returns the items with these names; deleted ones are omitted.
    func items(_ names: [String]) async -> [MediaItem] {
        (try? await folder.items(named: names)) ?? []
    }
}
