// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Foundation
internal import Hummingbird
public import Logging
internal import NIOCore
internal import ObscuraBase
public import ObscuraBroadcast
public import ObscuraMedia
internal import ObscuraWeb

/// A server that delivers a broadcast to browsers and players by HLS: short segments of fragmented MP4, a master
/// playlist, and a web page with a player.
///
/// ```swift
/// let server = try HLSServer(HLSConfiguration(address: ":8080"))
/// try await server.serve { address in
///     print("watch at \(address)")
///     let events = broadcast.events
///     try broadcast.startBroadcast(to: [server.destination])
///     for await event in events {
///         if case .finished = event { break }    // the session has stopped, or stopBroadcast() was called
///     }
/// }
/// ```
///
/// | path | content |
/// | --- | --- |
/// | `/` | a page that plays the broadcast with low latency |
/// | `/live.m3u8` | the master playlist, for other players |
/// | `/live-media.m3u8` | the media playlist; with `?_HLS_msn=N`, the response waits for segment N |
/// | `/live-init.mp4`, `/live-000000.m4s` … | the segments, also as byte ranges |
///
/// Pages of other sites can play the broadcast only if ``HLSConfiguration/allowsOtherSites`` is true. If
/// ``HLSConfiguration/credentials`` is nil, every client that reaches the address can watch. Credentials are sent
/// unencrypted, so use a TLS proxy on untrusted networks.
///
/// The segments are stored in a folder that only this user can read, in memory if there is enough space. This folder
/// exists while ``serve(while:)`` runs; if the folder is deleted, the server creates it again, and the broadcast
/// continues.
public final class HLSServer: Sendable {
    /// The destination to which the broadcast must be sent: a folder of segments. The folder exists only while
    /// ``serve(while:)`` runs.
    public let destination: BroadcastDestination
    /// Whether other hosts can reach the server.
    public var servesNetwork: Bool { !address.isLoopback }

    /// Interval between checks whether the folder still exists; shorter than the broadcast's reconnection delay.
    private static let restoreInterval = Duration.milliseconds(500)

    private let address: ListenAddress
    private let port: Int
    private let secret: Secret?
    private let hostNames: [String]
    private let allowsOtherSites: Bool
    private let folderPath: String
    private let page: PageResources
    private let limits: RequestLimits
    private let logger: Logger

    /// Creates a server: validates the configuration, and reads the files of the web page. Does not listen yet.
    ///
    /// - Parameters:
    ///   - configuration: the address, its host names, and the access control.
    ///   - logger: the logger; nil creates a logger with the label `obscura.hls` and the level `notice`.
    /// - Throws: ``ObscuraError``: `cannotListen` for an invalid address, `invalidRequest` for invalid credentials,
    ///   `missingResources` if the files of the web page are not found.
    public convenience init(_ configuration: HLSConfiguration, logger: Logger? = nil) throws(ObscuraError) {
        try self.init(configuration, page: PageResources.player(), logger: logger ?? Self.usualLogger)
    }

    init(
        _ configuration: HLSConfiguration, page: PageResources, limits: RequestLimits = RequestLimits(),
        folderPath: String = HLSDirectory.freshPath(), logger: Logger = usualLogger
    ) throws(ObscuraError) {
        (address, port) = try ListenAddress.withPort(configuration.address)
        try ListenAddress.require(hostNames: configuration.hostNames)
        (hostNames, allowsOtherSites) = (configuration.hostNames, configuration.allowsOtherSites)
        let isLoopback = address.isLoopback
        secret = try configuration.credentials.map { credentials throws(ObscuraError) in
            guard !credentials.user.isEmpty, !credentials.user.contains(":"), !credentials.password.isEmpty else {
                throw ObscuraError(
                    .server, .invalidRequest, subject: "credentials",
                    reason: "the user name or the password is empty, or the user name contains a colon",
                    advice: "Set both, with no colon in the user name, or neither for unrestricted access.")
            }
            guard isLoopback || NetworkPassword.isLongEnough(credentials.password) else {
                throw ObscuraError(
                    .server, .invalidRequest, subject: "password",
                    reason: "it has fewer than \(NetworkPassword.minimumLength) characters and could be guessed",
                    advice: "Choose a longer password, or listen on 127.0.0.1.")
            }
            return Secret("\(credentials.user):\(credentials.password)")
        }
        do {
            var destination = try BroadcastDestination(
                "\(folderPath)/\(HLSName.master.text)", name: "HLS at \(configuration.address)")
            destination.makesFolder = false
            self.destination = destination
        } catch {
            throw ObscuraError(
                .server, .unusableFolder, subject: folderPath, reason: error.reason, remedy: error.remedy)
        }
        self.page = page
        self.limits = limits
        self.folderPath = folderPath
        self.logger = logger
    }

    private static var usualLogger: Logger {
        var logger = Logger(label: "obscura.hls")
        logger.logLevel = .notice
        return logger
    }

    /// Serves the broadcast while `body` runs, and then deletes the folder of the segments.
    ///
    /// Does not handle signals. If the task is cancelled, `body` is cancelled and the server ends.
    ///
    /// - Parameter body: called with the URL of the page once the server listens. The call is cancelled if the server
    ///   fails.
    /// - Returns: the result of `body`.
    /// - Throws: ``ObscuraError``: `cannotListen`, `unusableFolder`; and the errors of `body`.
    public func serve<Value: Sendable>(
        while body: @escaping @Sendable (_ address: String) async throws -> Value
    ) async throws -> Value {
        try await serveLists { address, _ in try await body(address) }
    }

    /// Like ``serve(while:)``; `body` also receives the watch for the media playlist.
    func serveLists<Value: Sendable>(
        while body: @escaping @Sendable (_ address: String, SegmentListWatch) async throws -> Value
    ) async throws -> Value {
        let folder = try HLSDirectory(path: folderPath)
        // A cleanup of temporary files may delete the folder.
        let looks = Timers.every(Self.restoreInterval) { folder.restoreSoon() }
        defer {
            looks.cancel()
            folder.remove()
        }
        let lists = SegmentListWatch(folder)
        let server = server(
            of: HLSRoutes(
                folder: folder, lists: lists, isPrivate: secret != nil, allowsOtherSites: allowsOtherSites))
        return try await server.serve(at: address, hostNames: hostNames) { address in
            // Waiting requests are answered while their connections are still open.
            defer { lists.close() }
            return try await body(address, lists)
        }
    }

    private func server(of routes: HLSRoutes) -> WebServer<GuardedResponder<PasswordMiddleware>> {
        let router = Router<WebContext>.web()
        routes.add(to: router, page: page)
        let names = ServedNames(
            address: address.host, isLoopback: address.isLoopback, port: port, isSecure: false, hostNames: hostNames)
        let access = PasswordMiddleware(
            secret: secret, names: allowsOtherSites ? nil : names, attempts: PasswordAttempts(limits: limits))
        return WebServer(
            host: address.host, port: port,
            responder: GuardedResponder(router: router, access: access, nothingHere: HLSRoutes.nothingHere),
            connections: Connections(limits: limits), limits: limits, logger: logger)
    }
}
