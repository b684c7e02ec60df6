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

/// What listens, for the Studio and for HLS alike: it takes connections in, guards each of them, and hands requests to
/// the responder.
///
/// It ends when its task is cancelled, or by the graceful shutdown of a `ServiceGroup` that it runs in: streams end,
/// WebSockets are closed by the book, and what is still open after ``RequestLimits/shutdownTime`` is cut off. It
/// listens to no signal; who started it does, and cancels the task that runs it.
package struct WebServer<Responder: HTTPResponder>: Sendable where Responder.Context == WebContext {
    /// An address in digits, or a name.
    package let host: String
    /// 0 takes any that is free.
    package let port: Int
    package let responder: Responder
    package let connections: Connections
    package let limits: RequestLimits
    /// Nil for plain HTTP.
    package var tls: NIOSSLContext?
    /// Nil where nobody gets a WebSocket.
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

    /// Serves until the task is cancelled.
    ///
    /// - Parameter onStart: gets the port, once it listens.
    /// - Throws: what the system says of the address; see ``ObscuraError/init(listening:at:port:option:)``.
    package func run(onStart: @escaping @Sendable (_ port: Int) -> Void) async throws {
        // A connection, and the file that it gets.
        let places = ResourceBudget.descriptors.take(limits.connections, each: 2)
        guard places.count > 0 else { throw ObscuraError.tooFewDescriptors }
        connections.limit(to: places.count)
        defer { withExtendedLifetime(places) {} }
        let group = ServiceGroup(
            configuration: .init(services: [application(onStart: onStart)], logger: logger))
        // A task of its own: a cancelled server cuts off its answers in the middle, and we want it to end them.
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

    /// What does not end by itself is ended.
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
        // It fails only when the socket is closed already.
        try? await guarded.get()
        onStart(channel.localAddress?.port ?? port)
    }
}
