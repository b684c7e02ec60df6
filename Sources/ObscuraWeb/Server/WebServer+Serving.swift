// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

extension WebServer {
    /// Runs the server while `body` runs.
    ///
    /// - Parameters:
    ///   - address: the address of ``host``, without TLS.
    ///   - hostNames: names for the URL instead of the address.
    ///   - body: called with the URL of `/` once the server listens. The call is cancelled if the server fails.
    /// - Returns: the result of `body`.
    /// - Throws: ``ObscuraError``: `cannotListen`; and the errors of `body`.
    package func serve<Value: Sendable>(
        at address: ListenAddress, hostNames: [String] = [],
        while body: @escaping @Sendable (_ address: String) async throws -> Value
    ) async throws -> Value {
        let (ports, started) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                defer { started.finish() }
                do {
                    try await run { started.yield($0) }
                } catch {
                    throw ObscuraError(listening: error, at: host, port: port) ?? error
                }
                return nil
            }
            group.addTask {
                for await port in ports {
                    return try await body(address.address(port: port, isSecure: false, hostNames: hostNames) + "/")
                }
                return nil
            }
            while let value = try await group.next() {
                if let value { return value }
            }
            throw CancellationError()
        }
    }
}
