// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Hummingbird
public import Logging
public import ObscuraMedia
internal import ObscuraWeb

/// An HTTP server for the metrics of a program, at the path `/metrics`.
///
/// ```swift
/// let metrics = PrometheusMetrics()
/// MetricsSystem.bootstrap(metrics)
/// try await MetricsServer(metrics, address: "127.0.0.1:9100").serve { address in
///     print("metrics at \(address)")
///     try await record()
/// }
/// ```
///
/// The metrics contain the names of devices and outputs, but no frames; every client that reaches the address can read
/// them. Requests whose `Host` header is not the name or an address of the server are rejected, so that pages of other
/// sites cannot read the metrics.
public struct MetricsServer: Sendable {
    private let metrics: PrometheusMetrics
    private let address: ListenAddress
    private let port: Int
    private let logger: Logger

    /// Creates a server. Does not listen yet.
    ///
    /// - Parameters:
    ///   - metrics: the metrics to serve.
    ///   - address: an IP address or a name of this machine with a port, such as `127.0.0.1:9100`; `:9100` stands for all
    ///     IPv4 addresses, and port 0 for a free port.
    ///   - logger: the logger; nil creates a logger with the label `obscura.metrics` and the level `notice`.
    /// - Throws: ``ObscuraError``: `cannotListen` for an invalid address.
    public init(_ metrics: PrometheusMetrics, address: String, logger: Logger? = nil) throws(ObscuraError) {
        (self.address, port) = try ListenAddress.withPort(address)
        self.metrics = metrics
        var usual = Logger(label: "obscura.metrics")
        usual.logLevel = .notice
        self.logger = logger ?? usual
    }

    /// Serves the metrics while `body` runs. Does not handle signals.
    ///
    /// - Parameter body: called with the URL of the metrics once the server listens. The call is cancelled if the server
    ///   fails.
    /// - Returns: the result of `body`.
    /// - Throws: ``ObscuraError``: `cannotListen`; and the errors of `body`.
    public func serve<Value: Sendable>(
        while body: @escaping @Sendable (_ address: String) async throws -> Value
    ) async throws -> Value {
        try await server.serve(at: address) { try await body($0 + "metrics") }
    }

    private var server: WebServer<GuardedResponder<PasswordMiddleware>> {
        let router = Router<WebContext>.web()
        router.get("metrics") { [metrics] _, _ in metrics.page.response }
        let limits = RequestLimits()
        let names = ServedNames(
            address: address.host, isLoopback: address.isLoopback, port: port, isSecure: false, hostNames: [])
        return WebServer(
            host: address.host, port: port,
            responder: GuardedResponder(
                router: router,
                access: PasswordMiddleware(secret: nil, names: names, attempts: PasswordAttempts(limits: limits))),
            connections: Connections(limits: limits), limits: limits, logger: logger)
    }
}
