// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Hummingbird
internal import Logging
internal import NIOCore
internal import NIOSSL
internal import Obscura
internal import ObscuraBase
internal import ObscuraWeb

/// The HTTP server of the Studio: rejects requests that ``AccessGate`` does not admit, and passes requests to the
/// routes and WebSockets to their owner. ``WebServer`` describes its start and stop.
final class StudioHTTPServer: Sendable {
    /// The access token that browsers must present.
    let token: AccessToken
    /// The open connections, for the metrics.
    let connections: Connections

    private let configuration: StudioConfiguration
    private let limits: RequestLimits
    let address: ListenAddress
    private let tls: NIOSSLContext?
    private let responder: GuardedResponder<AccessMiddleware>
    private let attach: @Sendable (any Channel) -> EventLoopFuture<Void>
    private let gate = Lock<AccessGate?>(nil)
    private let logger: Logger

    /// - Parameters:
    ///   - router: a router from ``Router/web(errors:)`` with all routes; routes that are added later are not served.
    ///   - attach: takes over a connection that was upgraded to a WebSocket; see ``WebSocketUpgrade/attach``.
    init(
        _ configuration: StudioConfiguration, router: Router<WebContext>, limits: RequestLimits = RequestLimits(),
        logger: Logger = Logger(label: "obscura.studio"),
        attach: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
    ) throws(ObscuraError) {
        self.configuration = configuration
        self.limits = limits
        self.logger = logger
        self.attach = attach
        address = try ListenAddress(configuration.address)
        try ListenAddress.require(hostNames: configuration.hostNames)
        try address.require(isProtected: configuration.tls != nil || configuration.isInsecureAllowed)
        guard (0...65535).contains(configuration.port) else {
            throw ObscuraError(
                .studio, .cannotListen, subject: "port \(configuration.port)", reason: "the port must be 0 to 65535",
                remedy: .choosePort)
        }
        if let chosen = configuration.token { token = try AccessToken(chosen: chosen) } else { token = AccessToken() }
        if let files = configuration.tls {
            tls = try ServerCertificate.context(certificate: files.certificate, key: files.key)
        } else {
            tls = nil
        }
        connections = Connections(limits: limits)
        let access = AccessMiddleware(
            gate: { [gate] in gate.withLock(\.self) }, attempts: TokenAttempts(limits: limits))
        responder = GuardedResponder(router: router, access: access, errors: .studio)
    }

    /// Runs the server until the task is cancelled.
    ///
    /// - Parameter onStart: called once the server listens, with the address to open, which contains the token.
    /// - Throws: ``ObscuraError`` with `cannotListen`.
    func run(onStart: @escaping @Sendable (String) -> Void) async throws {
        let server = WebServer(
            host: address.host, port: configuration.port, responder: responder, connections: connections,
            limits: limits, tls: tls,
            upgrade: WebSocketUpgrade(
                path: AccessGate.socketPath, isSecure: tls != nil,
                allows: { [gate] head in gate.withLock(\.self)?.allows(head) == true }, connections: connections,
                limits: limits, attach: attach),
            logger: logger)
        do {
            try await server.run { port in onStart(self.started(at: port)) }
        } catch {
            throw ObscuraError(listening: error, at: address.host, port: configuration.port) ?? error
        }
    }

    /// Creates the gate, after which requests can be admitted.
    ///
    /// - Returns: the address to open, with the token.
    private func started(at port: Int) -> String {
        let names = ServedNames(
            address: address.host, isLoopback: address.isLoopback, port: port, isSecure: tls != nil,
            hostNames: configuration.hostNames)
        gate.withLock { $0 = AccessGate(token: token, names: names) }
        let page = address.address(port: port, isSecure: tls != nil, hostNames: configuration.hostNames)
        return "\(page)/?token=\(token.text)"
    }
}
