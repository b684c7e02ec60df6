// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Glibc
import ObscuraBase
import ObscuraMedia
import TestSupport

/// An HTTP server on 127.0.0.1 that serves one file and hangs up when a test wants it to.
final class SmallServer: Sendable {
    /// What the server does with one connection.
    struct Answer: Sendable {
        /// How many bytes of the file it sends before it hangs up; nil sends all.
        var limit: Int?
        /// Whether it says how long the file is, and serves parts of it.
        var isFile = true
        /// Answers with this status and nothing else.
        var status: String?
        /// Sends nothing more, and keeps the connection.
        var isSilent = false
    }

    private let listener: Int32
    private let port: UInt16
    private let body: [UInt8]
    private let answer: @Sendable (Int) -> Answer
    private let state = Lock((requests: 0, isClosed: false, hungUp: Set<Int>()))

    /// - Parameter answer: what to do with the connection of a number, counted from 0.
    init(_ body: Data, answer: @escaping @Sendable (Int) -> Answer) throws {
        self.body = Array(body)
        self.answer = answer
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 8) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        struct Failure: Error {}
        guard isBound else { throw Failure() }
        port = UInt16(bigEndian: address.sin_port)
        _ = WorkerThread.detach(name: "server") { [self] in serve() }
    }

    var requestCount: Int { state.withLock { $0.requests } }

    /// Waits until the client has closed the silent connection of this number, counted from 0.
    func waitsForHangUp(of number: Int) -> Bool {
        state.wait(until: .now + waitLimit) { $0.hungUp.contains(number) ? true : nil } ?? false
    }

    func url(_ name: String) -> String { "http://127.0.0.1:\(port)/\(name)" }

    func close() {
        state.withLockSignalling { $0.isClosed = true }
        shutdown(listener, Int32(SHUT_RDWR))
    }

    private func serve() {
        while true {
            let connection = accept(listener, nil, nil)
            guard connection >= 0 else { break }
            let number = state.withLock { state in
                defer { state.requests += 1 }
                return state.requests
            }
            _ = WorkerThread.detach(name: "connection") { [self] in
                handle(connection, answer(number), number)
                Glibc.close(connection)
            }
        }
        Glibc.close(listener)
    }

    private func handle(_ connection: Int32, _ answer: Answer, _ number: Int) {
        var request = [UInt8](repeating: 0, count: 4096)
        let count = recv(connection, &request, request.count, 0)
        guard count > 0 else { return }
        let text = String(decoding: request.prefix(count), as: UTF8.self)
        if let status = answer.status { return send(connection, Array("HTTP/1.0 \(status)\r\n\r\n".utf8)) }
        var begin = 0
        if answer.isFile, let range = text.firstRange(of: "bytes=") {
            begin = Int(text[range.upperBound...].prefix { $0.isNumber }) ?? 0
        }
        var head = "HTTP/1.1 \(begin > 0 ? "206 Partial Content" : "200 OK")\r\nConnection: close\r\n"
        if answer.isFile {
            head += "Accept-Ranges: bytes\r\nContent-Length: \(body.count - begin)\r\n"
            if begin > 0 { head += "Content-Range: bytes \(begin)-\(body.count - 1)/\(body.count)\r\n" }
        }
        let end = min(body.count, begin + (answer.limit ?? body.count))
        send(connection, Array((head + "\r\n").utf8) + body[min(begin, end)..<end])
        if answer.isSilent { waitForHangUp(connection, number) }
    }

    /// Keeps the connection until the client or the test closes it.
    private func waitForHangUp(_ connection: Int32, _ number: Int) {
        var byte: UInt8 = 0
        while !state.withLock({ $0.isClosed }) {
            var event = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
            guard poll(&event, 1, 50) > 0 else { continue }
            guard recv(connection, &byte, 1, 0) <= 0 else { continue }
            state.withLockSignalling { _ = $0.hungUp.insert(number) }
            return
        }
    }

    private func send(_ connection: Int32, _ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes {
                Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard sent > 0 else { return }
            rest = rest.dropFirst(sent)
        }
    }
}
