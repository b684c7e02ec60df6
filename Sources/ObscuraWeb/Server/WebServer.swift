// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import Hummingbird
internal import HummingbirdCore
package import Logging
internal import NIOCore
internal import NIOPosix
package import NIOSSL
internal import ObscuraBase
internal import ObscuraMedia
internal import ServiceLifecycle

/// The HTTP server of the Studio and of HLS: accepts connections, guards each of them, and passes requests to the
/// responder.
///
/// The server stops when its task is cancelled, or at the graceful shutdown of its `ServiceGroup`: streams end,
/// WebSockets are closed with a handshake, and connections that remain after ``RequestLimits/shutdownTime`` are closed.
/// The server installs no signal handlers; its owner does, and cancels the task.
package struct WebServer<Responder: HTTPResponder>: Sendable where Responder.Context == WebContext {
    /// The address to listen on: an IP address or a name.
    package let host: String
    /// The port; 0 selects a free port.
    package let port: Int
    package let responder: Responder
    package let connections: Connections
    package let limits: RequestLimits
    /// The TLS settings; nil for plain HTTP.
    package var tls: NIOSSLContext?
    /// The WebSocket upgrade; nil if the server offers none.
    package var upgrade: WebSocketUpgrade?
    package let logger: Logger

    package init(
        host: String, port: Int, responder: Responder, connections: Connections, limits: RequestLimits,
        tls: NIOSSLContext? = nil, upgrade: WebSocketUpgrade? = nil, logger: Logger
    ) {
        self.host = host
        self.port = port
        self.responder = responder
        self.connections = connections
        self.limits = limits
        self.tls = tls
        self.upgrade = upgrade
        self.logger = logger
    }

    /// Runs the server until the task is cancelled.
    ///
    /// - Parameter onStart: called with the port once the server listens.
    /// - Throws: an error about the address; see ``ObscuraError/init(listening:at:port:)``.
    package func run(onStart: @escaping @Sendable (_ port: Int) -> Void) async throws {
        // A connection, and the file that it sends.
        let places = ResourceBudget.descriptors.take(limits.connections, each: 2)
        guard places.count > 0 else { throw ObscuraError.tooFewDescriptors }
        connections.limit(to: places.count)
        defer { withExtendedLifetime(places) {} }
        let group = ServiceGroup(
            configuration: .init(services: [application(onStart: onStart)], logger: logger))
        // A separate task: cancelling the server would truncate its responses, which are to be completed.
        let running = Task { try await group.run() }
        let stopping = Lock<[Scheduled<Void>]>([])
        let result = await withTaskCancellationOrGracefulShutdownHandler {
            await running.result
        } onCancelOrGracefulShutdown: {
            stopping.withLock { timers in
                guard timers.isEmpty else { return }
                Task { await group.triggerGracefulShutdown() }
                timers = self.deadlines(running)
            }
        }
        let isStopping = stopping.withLock { timers in
            timers.forEach { $0.cancel() }
            return !timers.isEmpty
        }
        if case .failure(let error) = result, !isStopping { throw error }
    }

    /// Schedules the forced end of connections and of the server.
    private func deadlines(_ running: Task<Void, any Error>) -> [Scheduled<Void>] {
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let limit = TimeAmount(limits.shutdownTime)
        return [
            loop.scheduleTask(in: limit) { [connections] in connections.closeAll() },
            loop.scheduleTask(in: limit * 2) { running.cancel() },
        ]
    }

    private func application(onStart: @escaping @Sendable (Int) -> Void) -> some ApplicationProtocol {
        Application(
            responder: responder,
            server: HTTPServerBuilder { [connections, limits, tls, upgrade] responder in
                WebChannel(
                    responder: responder, connections: connections, limits: limits, tls: tls, upgrade: upgrade)
            },
            configuration: ApplicationConfiguration(
                address: .hostname(host, port: port), serverName: nil, backlog: 1024),
            onServerRunning: { channel in await self.started(channel, onStart) },
            logger: logger)
    }

    private func started(_ channel: any Channel, _ onStart: @Sendable (Int) -> Void) async {
        let guarded = channel.eventLoop.submit { [logger] in
            try channel.pipeline.syncOperations.addHandler(AcceptGuard(logger: logger), position: .first)
        }
        // Fails only if the socket is already closed.
        try? await guarded.get()
        onStart(channel.localAddress?.port ?? port)
    }
}
