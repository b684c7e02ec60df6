// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

#if HLS
internal import CoreMetrics
internal import ObscuraMetrics
#endif

/// The address at which a command serves its statistics while it runs.
struct MetricsOptions: ParsableArguments {
    #if HLS
    @Option(
        name: .customLong("metrics"),
        help: ArgumentHelp(
            "Port on which to serve statistics for Prometheus, such as 9100.",
            discussion: """
                Prometheus reads http://127.0.0.1:9100/metrics. If only a port is given, only this machine can read \
                the statistics. To let other machines read them, give an address and a port, such as 192.168.1.5:9100, \
                or :9100 for all IPv4 addresses. Port 0 chooses a free port.
                """,
            valueName: "[[host]:]port"))
    private(set) var address: String?

    func validate() throws {
        do {
            _ = try address.map { address throws(ObscuraError) in try server(PrometheusMetrics(), address) }
        } catch {
            throw ValidationError(error.commandText)
        }
    }

    private func server(_ metrics: PrometheusMetrics, _ address: String) throws(ObscuraError) -> MetricsServer {
        try MetricsServer(metrics, address: UInt16(address) == nil ? address : "127.0.0.1:\(address)")
    }
    #endif

    /// Runs `body`, and serves its statistics meanwhile, if an address is given.
    func serve(isQuiet: Bool, while body: @escaping @Sendable () async throws -> Void) async throws {
        #if HLS
        if let address {
            let metrics = PrometheusMetrics()
            // Before a session and its outputs are created: they report to the metrics system that they find.
            MetricsSystem.bootstrap(metrics)
            return try await server(metrics, address).serve { address in
                if !isQuiet { Terminal.note("Statistics at \(address)\n") }
                try await body()
            }
        }
        #endif
        try await body()
    }
}
