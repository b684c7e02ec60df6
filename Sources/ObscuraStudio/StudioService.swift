// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Hummingbird
internal import Logging
internal import NIOCore
internal import Obscura
internal import ObscuraWeb

/// A Studio with its pages and its HTTP server: what ``StudioServer`` and ``MediaPicker`` share.
final class StudioService: Sendable {
    let studio: Studio
    let pages: PageHub
    private let server: StudioHTTPServer

    /// - Parameter addRoutes: adds the routes of the pages and of their API.
    init(
        _ studio: Studio, _ configuration: StudioConfiguration, limits: RequestLimits, logger: Logger,
        addRoutes: (Router<WebContext>, PageHub) throws(ObscuraError) -> Void
    ) throws(ObscuraError) {
        self.studio = studio
        let pages = PageHub(studio, logger: logger)
        self.pages = pages
        let router = Router<WebContext>.web(errors: .studio)
        router.add(middleware: RevisionHeader(studio: studio))
        ServerRoutes(version: ObscuraBuild.version).add(to: router)
        try addRoutes(router, pages)
        server = try StudioHTTPServer(configuration, router: router, limits: limits, logger: logger) { channel in
            pages.attach(to: channel, limits)
        }
    }

    /// Whether other machines can connect.
    var servesNetwork: Bool { !server.address.isLoopback }

    /// Runs the server until the task is cancelled; then finishes the recordings and stops the cameras.
    ///
    /// - Parameter onStart: called on any thread when the server listens, with the address to open in a browser.
    func run(onStart: @escaping @Sendable (_ address: String) -> Void) async throws {
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
        // The task may already be cancelled; a separate task completes the shutdown nevertheless.
        await Task { await studio.close() }.value
        watching.cancel()
        await watching.value
        try result.get()
    }
}
