// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A server on a port of this machine.
package protocol ServerUnderTest {
    var port: Int { get }
}

extension ServerUnderTest {
    /// Sends one request of these lines on a connection of its own, and waits for the answer.
    package func ask(_ lines: String..., body: String = "") async throws -> RawConnection.Received {
        let connection = try await RawConnection(port: port)
        defer { connection.close() }
        try await connection.send(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
        return await connection.answer()
    }

    /// Sends a request that is right but for what the test adds.
    package func get(
        _ path: String, _ headers: String..., method: String = "GET"
    ) async throws -> RawConnection.Received {
        let connection = try await RawConnection(port: port)
        defer { connection.close() }
        let lines = ["\(method) \(path) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Connection: close"] + headers
        try await connection.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
        return await connection.closed()
    }
}
