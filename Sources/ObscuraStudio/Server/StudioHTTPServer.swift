// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import Hummingbird
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOPosix
internal import NIOSSL
internal import Obscura
internal import ServiceLifecycle

/// The server: it listens, lets in whom the gate lets in, and hands requests to the routes and WebSockets to their
/// owner.
///
/// It ends when its task is cancelled, or by the graceful shutdown of a `ServiceGroup` that it runs in: streams end,
/// WebSockets are closed by the book, and what is still open after ``RequestLimits/shutdownTime`` is cut off. It
/// listens to no signal; who started it does, and cancels the task that runs it.
final class StudioHTTPServer: Sendable {
    /// What a browser must know.
    let token: AccessToken
    /// What is open, for the metrics.
    let connections: Connections

    private let configuration: StudioConfiguration
    private let limits: RequestLimits
    let address: ListenAddress
    private let tls: NIOSSLContext?
    private let responder: GuardedResponder
    private let attach: @Sendable (any Channel) -> EventLoopFuture<Void>
    private let gate = Lock<AccessGate?>(nil)
    private let logger: Logger

    /// - Parameters:
    ///   - router: all routes, in one that ``Router/studio()`` made; none that is added later is served.
    ///   - attach: takes over a connection that became a WebSocket; see ``WebSocketUpgrade/attach``.
    init(
        _ configuration: StudioConfiguration, router: Router<StudioContext>, limits: RequestLimits = RequestLimits(),
        logger: Logger = Logger(label: "obscura.studio"),
        attach: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
    ) throws(StudioError) {
        self.configuration = configuration
        self.limits = limits
        self.logger = logger
        self.attach = attach
        address = try ListenAddress(configuration.address)
        try ListenAddress.require(hostNames: configuration.hostNames)
        try address.require(protectionBy: configuration)
        guard (0...65535).contains(configuration.port) else {
            throw StudioError(
                .cannotListen, subject: "port \(configuration.port)", reason: "there is no such port",
                advice: "Give --port a number from 1 to 65535, or 0 for any that is free.")
        }
        if let chosen = configuration.token { token = try AccessToken(chosen: chosen) } else { token = AccessToken() }
        if let files = configuration.tls { tls = try ServerCertificate.context(files) } else { tls = nil }
        connections = Connections(limits: limits)
        let access = AccessMiddleware(
            gate: { [gate] in gate.withLock(\.self) }, attempts: TokenAttempts(limits: limits))
        responder = GuardedResponder(router: router, access: access)
    }

    /// Serves until the task is cancelled.
    ///
    /// - Parameter onStart: gets the address to open, with the token, once it listens.
    /// - Throws: ``StudioError`` with `cannotListen`.
    func run(onStart: @escaping @Sendable (String) -> Void) async throws {
        DescriptorLimit.raise()
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
        if case .failure(let error) = result, !isStopping { throw self.error(error) }
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

    private func application(onStart: @escaping @Sendable (String) -> Void) -> some ApplicationProtocol {
        let upgrade = WebSocketUpgrade(
            gate: { [gate] in gate.withLock(\.self) }, connections: connections, limits: limits, attach: attach)
        return Application(
            responder: responder,
            server: HTTPServerBuilder { [connections, limits, tls] responder in
                StudioChannel(
                    responder: responder, connections: connections, limits: limits, tls: tls, upgrade: upgrade)
            },
            configuration: ApplicationConfiguration(
                address: .hostname(address.host, port: configuration.port), serverName: nil, backlog: 1024),
            onServerRunning: { channel in await self.started(channel, onStart) },
            logger: logger)
    }

    private func started(_ channel: any Channel, _ onStart: @Sendable (String) -> Void) async {
        let guarded = channel.eventLoop.submit { [logger] in
            try channel.pipeline.syncOperations.addHandler(AcceptGuard(logger: logger), position: .first)
        }
        // It fails only when the socket is closed already.
        try? await guarded.get()
        let port = channel.localAddress?.port ?? configuration.port
        let names = ServedNames(
            address: address.host, isLoopback: address.isLoopback, port: port, isSecure: tls != nil,
            hostNames: configuration.hostNames)
        gate.withLock { $0 = AccessGate(token: token, names: names) }
        let page = address.address(port: port, isSecure: tls != nil, hostNames: configuration.hostNames)
        onStart("\(page)/?token=\(token.text)")
    }

    /// What the system said of the address, in words.
    private func error(_ error: any Error) -> any Error {
        let place = "\(address.host), port \(configuration.port)"
        switch (error as? IOError)?.errnoCode {
        case EADDRINUSE?:
            return StudioError(
                .cannotListen, subject: place, reason: "the port is taken",
                advice: "Give another one with --port, or --port 0 for any that is free.")
        case EACCES?:
            return StudioError(
                .cannotListen, subject: place, reason: "this user may not listen on that port",
                advice: "Give a port from 1024 on with --port.")
        case EADDRNOTAVAIL?:
            return StudioError(
                .cannotListen, subject: place, reason: "the address is none of this machine",
                advice: "'ip address' lists those that it has.")
        case let code?:
            return StudioError(.cannotListen, subject: place, reason: "the system refused it (error \(code))")
        case nil:
            guard error is SocketAddressError || error is SocketAddressError.UnknownHost else { return error }
            return StudioError(
                .cannotListen, subject: place, reason: "no machine of that name is known",
                advice: "Give an address of this machine, such as 127.0.0.1 or 0.0.0.0.")
        }
    }
}
