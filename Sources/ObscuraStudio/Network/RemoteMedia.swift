// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1
internal import Obscura
internal import ObscuraBase
internal import ObscuraMovies

/// Downloads photos and movies from the web, without leading into internal networks.
///
/// Each host name is resolved here, and the connection goes to the address that was checked: a name server that
/// answers differently the second time has no effect. Redirects are followed here, so that each of them is checked.
/// Server certificates are verified, against the name of the host.
struct RemoteMedia: Sendable {
    private static let mostRedirects = 5
    /// For the whole download: a server that sends a byte per minute must not hold a connection forever.
    private static let longestDownload = TimeAmount.minutes(10)
    private static let longestSilence = TimeAmount.seconds(20)
    private static let longestConnecting = TimeAmount.seconds(10)
    /// A few threads: a page cannot block other work with names that resolve slowly.
    private static let resolvers = WorkerPool(name: "resolving", threads: 2)

    /// Whether connections to an address are permitted.
    private let permits: @Sendable (IPAddress) -> Bool
    /// The maximum time of a download.
    private let patience: TimeAmount

    init(access: RemoteAccess) {
        self.init { access == .everywhere || ($0.isPublic && !$0.isOnLink) }
    }

    init(patience: TimeAmount = longestDownload, permits: @escaping @Sendable (IPAddress) -> Bool) {
        self.permits = permits
        self.patience = patience
    }

    /// Downloads a file.
    ///
    /// - Parameters:
    ///   - text: the address.
    ///   - limit: the maximum number of bytes.
    ///   - progress: called with the completed fraction, if the server tells the size.
    ///   - write: receives the bytes. The server waits for it.
    /// - Throws: ``ObscuraError``: `invalidLocation`; `notAllowed` for an internal address; `noSuchItem` if the server
    ///   has no such file; `tooMuch` beyond the limit; `connectionFailed`, `timedOut`; and the errors of `write`.
    func download(
        _ text: String, upTo limit: Int64, progress: ((Double) -> Void)? = nil,
        _ write: @escaping ([UInt8]) async throws -> Void
    ) async throws {
        let transfer = Transfer(
            deadline: .now() + patience, limit: limit, progress: progress, write: write)
        var address = try RemoteAddress(text)
        for _ in 0...Self.mostRedirects {
            guard let next = try await read(address, transfer) else { return }
            address = next
        }
        throw ObscuraError(
            .studio, .connectionFailed, subject: address.shown, reason: "the server redirects too often",
            advice: "Check the address.")
    }

    /// What stays the same over all redirects.
    private struct Transfer {
        let deadline: NIODeadline
        let limit: Int64
        let progress: ((Double) -> Void)?
        let write: ([UInt8]) async throws -> Void
    }

    /// - Returns: the address to which the server redirects; nil after the download.
    private func read(
        _ address: RemoteAddress, _ transfer: Transfer
    ) async throws -> RemoteAddress? {
        let client = HTTPClient(
            eventLoopGroupProvider: .singleton, configuration: try await configuration(for: address))
        let result: Result<RemoteAddress?, any Error>
        do {
            result = .success(try await read(address, with: client, transfer))
        } catch {
            result = .failure(ObscuraError(error, downloading: address))
        }
        try? await client.shutdown()
        return try result.get()
    }

    private func read(
        _ address: RemoteAddress, with client: HTTPClient, _ transfer: Transfer
    ) async throws -> RemoteAddress? {
        var request = HTTPClientRequest(url: address.text)
        request.headers.add(name: "Accept", value: "image/jpeg, image/png, video/*")
        request.headers.add(name: "User-Agent", value: "Obscura")
        let response = try await client.execute(request, deadline: transfer.deadline)
        let status = response.status.code
        if [301, 302, 303, 307, 308].contains(status), let location = response.headers.first(name: "Location") {
            return try address.following(location)
        }
        guard (200..<300).contains(status) else {
            throw ObscuraError(
                .studio, .noSuchItem, subject: address.shown, reason: "the server answered with status \(status)",
                advice: "Check the address.")
        }
        if response.headers.first(name: "Content-Type")?.lowercased().hasPrefix("text/html") == true {
            throw ObscuraError(
                .studio, .invalidRequest, subject: address.shown, reason: "it is a web page, not a photo or movie",
                advice: "Open the page, and copy the address of the picture itself.")
        }
        func check(_ count: Int64) throws(ObscuraError) {
            guard count <= transfer.limit else {
                throw ObscuraError(
                    .studio, .tooMuch, subject: address.shown, reason: "it is larger than \(transfer.limit) bytes",
                    advice: "Download the file, and choose it from the disk.")
            }
        }
        let length = response.headers.first(name: "Content-Length").flatMap { Int64($0) } ?? 0
        try check(length)
        var byteCount: Int64 = 0
        for try await part in response.body {
            // The client's own deadline is that of the head of the answer.
            guard NIODeadline.now() < transfer.deadline else { throw HTTPClientError.deadlineExceeded }
            byteCount += Int64(part.readableBytes)
            try check(byteCount)
            try await transfer.write(Array(part.readableBytesView))
            if length > 0 { transfer.progress?(min(1, Double(byteCount) / Double(length))) }
        }
        return nil
    }

    /// Resolves the host, and directs the connection to an address that is permitted.
    private func configuration(for address: RemoteAddress) async throws -> HTTPClient.Configuration {
        let control = ReadControl()
        control.setDeadline(.now + .seconds(10))
        let hosts = try await Self.resolvers.runCancellable(onCancel: control.cancel) { _ throws(ObscuraError) in
            try Endpoint.resolve(address.host, port: address.port, subject: address.shown, control: control)
                .compactMap(\.numericHost)
        }
        guard let host = hosts.first(where: { IPAddress($0).map(permits) ?? false }) else {
            throw ObscuraError(
                .studio, .notAllowed, subject: address.shown,
                reason: "downloads from internal networks are not allowed",
                advice: "Download the file, and choose it from the disk.")
        }
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.httpVersion = .http1Only
        configuration.dnsOverride = [address.host: host]
        // A refused connection is an error now, and not after the timeout.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.timeout = .init(connect: Self.longestConnecting, read: Self.longestSilence)
        return configuration
    }
}

extension ObscuraError {
    fileprivate init(_ error: any Error, downloading address: RemoteAddress) {
        switch error {
        case let error as ObscuraError: self = error
        case is CancellationError: self = .cancelled(.studio, address.shown)
        case let error as HTTPClientError where [.deadlineExceeded, .readTimeout, .connectTimeout].contains(error):
            self.init(
                .studio, .timedOut, subject: address.shown, reason: "the server does not answer in time",
                advice: "Try again, or choose a file from the disk.")
        default:
            self.init(
                .studio, .connectionFailed, subject: address.shown, reason: "it cannot be downloaded",
                advice: "Check the address.", libraryMessage: "\(error)")
        }
    }
}
