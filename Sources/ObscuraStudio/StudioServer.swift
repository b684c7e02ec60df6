// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Hummingbird
public import Logging
internal import NIOCore
public import Obscura
internal import ObscuraWeb

/// A web server that shows cameras in a browser, and saves photos and movies to a library folder.
///
/// ```swift
/// var configuration = StudioConfiguration(libraryFolder: "Pictures/Obscura")
/// configuration.sources = ["camera"]
/// try await StudioServer(configuration).run { address in print("open \(address)") }
/// ```
///
/// By default only this machine can connect, and a client needs the access token. The server installs no signal
/// handlers: to stop it, cancel the task that runs it. ``run(onStart:)`` then finishes the recordings, notifies the
/// open pages, and returns.
public final class StudioServer: Sendable {
    private let service: StudioService
    private let sources: [String]

    /// Creates a server, and the library folder if it is missing; reads the certificate and the files of the pages.
    /// Opens no camera.
    ///
    /// - Parameters:
    ///   - configuration: the sources, the library folder, the address, and the token.
    ///   - logger: the logger; nil creates one with the label `obscura.studio` and the level `notice`.
    /// - Throws: ``ObscuraError``: `unusableFolder`, `cannotListen` for an invalid address, host name or port,
    ///   `unprotectedAddress`, `invalidCertificate`, `missingResources`, or `invalidRequest` for an invalid token.
    public convenience init(
        _ configuration: StudioConfiguration, logger: Logger? = nil
    ) throws(ObscuraError) {
        try self.init(
            configuration, devices: .machine(trust: configuration.sourceTrust), limits: RequestLimits(),
            logger: logger ?? Self.usualLogger)
    }

    /// - Parameter devices: a replacement for the devices of this machine.
    package convenience init(_ configuration: StudioConfiguration, devices: StudioDevices) throws(ObscuraError) {
        try self.init(configuration, devices: devices, limits: RequestLimits())
    }

    init(
        _ configuration: StudioConfiguration, devices: StudioDevices, limits: RequestLimits,
        idlePatience: Duration = .seconds(10), logger: Logger = usualLogger
    ) throws(ObscuraError) {
        sources = configuration.sources
        let studio = Studio(
            folder: try MediaFolder(path: configuration.libraryFolder, thumbnails: .ofUser), devices: devices,
            allowsSources: configuration.allowsSources, idlePatience: idlePatience, logger: logger)
        service = try StudioService(studio, configuration, limits: limits, logger: logger) {
            router, pages throws(ObscuraError) in
            try Self.addRoutes(to: router, studio, pages)
        }
    }

    /// Whether other machines can connect.
    package var servesNetwork: Bool { service.servesNetwork }

    /// The default logger. Its level omits routine messages, such as each start and stop of a camera.
    static var usualLogger: Logger {
        var logger = Logger(label: "obscura.studio")
        logger.logLevel = .notice
        return logger
    }

    static func addRoutes(
        to router: Router<WebContext>, _ studio: Studio, _ pages: PageHub
    ) throws(ObscuraError) {
        StateRoutes(studio: studio, pages: pages).add(to: router)
        CameraRoutes(studio: studio).add(to: router)
        PictureRoutes(studio: studio).add(to: router)
        LibraryRoutes(studio: studio).add(to: router)
        TrashRoutes(studio: studio).add(to: router)
        try PageResources.studio().addRoutes(to: router)
    }

    /// Runs the server until the task is cancelled.
    ///
    /// - Parameter onStart: called on any thread when the server listens. The argument is the address to open in a
    ///   browser; the address contains the token.
    /// - Throws: ``ObscuraError``: `cannotListen`, or the error of a camera in ``StudioConfiguration/sources`` that
    ///   does not exist.
    public func run(onStart: @escaping @Sendable (_ address: String) -> Void) async throws {
        for source in sources { try await service.studio.add(named: source) }
        let thumbnails = Task { [service] in await service.studio.folder.storeThumbnails() }
        defer { thumbnails.cancel() }
        try await service.run(onStart: onStart)
    }
}
