// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Hummingbird
public import Logging
internal import NIOCore
public import Obscura
internal import ObscuraWeb

/// The Studio: cameras in a browser, with photos and movies in a folder.
///
/// ```swift
/// var configuration = StudioConfiguration(libraryFolder: "Pictures/Obscura")
/// configuration.sources = ["camera"]
/// try await StudioServer(configuration).run { address in print("open \(address)") }
/// ```
///
/// It serves this machine alone unless it is told otherwise, and only those who know the secret of the address. It
/// listens to no signal: cancel the task that runs it, and recordings become whole, pages are told, and it returns.
public final class StudioServer: Sendable {
    private let studio: Studio
    private let pages: PageHub
    private let server: StudioHTTPServer
    private let sources: [String]
    private let logger: Logger

    /// Makes the folder, and reads the certificate and the files of the page. Opens no camera yet.
    ///
    /// - Parameter logger: nil takes one with the label `obscura.studio` that begins at `notice`.
    /// - Throws: ``ObscuraError``: `unusableFolder`, `unprotectedAddress`, `invalidCertificate`, `missingResources`,
    ///   `invalidRequest` for a token that is too easy to guess.
    public convenience init(
        _ configuration: StudioConfiguration, logger: Logger? = nil
    ) throws(ObscuraError) {
        try self.init(
            configuration, devices: .machine(trust: configuration.sourceTrust), limits: RequestLimits(),
            logger: logger ?? Self.usualLogger)
    }

    /// - Parameter devices: what stands in the place of the machine's devices.
    package convenience init(_ configuration: StudioConfiguration, devices: StudioDevices) throws(ObscuraError) {
        try self.init(configuration, devices: devices, limits: RequestLimits())
    }

    init(
        _ configuration: StudioConfiguration, devices: StudioDevices, limits: RequestLimits,
        idlePatience: Duration = .seconds(10), logger: Logger = usualLogger
    ) throws(ObscuraError) {
        self.logger = logger
        sources = configuration.sources
        let studio = Studio(
            folder: try MediaFolder(path: configuration.libraryFolder), devices: devices,
            allowsSources: configuration.allowsSources, idlePatience: idlePatience, logger: logger)
        let pages = PageHub(studio, logger: logger)
        self.studio = studio
        self.pages = pages
        server = try StudioHTTPServer(
            configuration, router: try Self.router(studio, pages), limits: limits, logger: logger
        ) { channel in pages.attach(to: channel, limits) }
    }

    /// Whether other machines can reach it.
    package var servesNetwork: Bool { !server.address.isLoopback }

    /// Says what somebody should see to, and nothing of each start and stop.
    static var usualLogger: Logger {
        var logger = Logger(label: "obscura.studio")
        logger.logLevel = .notice
        return logger
    }

    /// All routes.
    static func router(_ studio: Studio, _ pages: PageHub) throws(ObscuraError) -> Router<WebContext> {
        let router = Router<WebContext>.web(errors: .studio)
        ServerRoutes(version: ObscuraVersion.current).add(to: router)
        StateRoutes(studio: studio, pages: pages).add(to: router)
        CameraRoutes(studio: studio).add(to: router)
        PictureRoutes(studio: studio).add(to: router)
        LibraryRoutes(studio: studio).add(to: router)
        try PageResources.studio().addRoutes(to: router)
        return router
    }

    /// Serves until the task is cancelled.
    ///
    /// - Parameter onStart: gets the address to open, with its secret, once it listens. On any thread.
    /// - Throws: ``ObscuraError``: `cannotListen`; and what a source's name says that cannot be a camera.
    public func run(onStart: @escaping @Sendable (_ address: String) -> Void) async throws {
        for source in sources { try await studio.add(named: source) }
        let (studio, pages) = (studio, pages)
        let watching = Task {
            await withDiscardingTaskGroup { group in
                group.addTask { await studio.watchDevices() }
                group.addTask { await pages.run() }
            }
        }
        let result: Result<Void, any Error>
        do {
            try await server.run(onStart: onStart)
            result = .success(())
        } catch {
            result = .failure(error)
        }
        // The task may be cancelled by now; what is under way is still brought to its end.
        await Task { await studio.close() }.value
        watching.cancel()
        await watching.value
        try result.get()
    }
}
