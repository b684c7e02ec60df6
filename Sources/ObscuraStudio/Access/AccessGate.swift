// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import HTTPTypes
internal import ObscuraWeb

/// Decides from the head of a request whether to admit it. A value type without side effects.
///
/// Checks three conditions, in this order: the browser addresses this server (`Host`), the request comes from one of
/// its own pages (`Origin`, `Sec-Fetch-Site`), and it contains the token. A rejection before the token check contains
/// no information that is not public.
struct AccessGate: Sendable {
    /// The relevant parts of a request's head, with all values of each header, so that duplicates are detected.
    struct Request: Sendable {
        var method: HTTPRequest.Method
        var target: String
        var hosts: [String] = []
        var origins: [String] = []
        var cookies: [String] = []
        var authorizations: [String] = []
        var fetchSites: [String] = []
        var fetchModes: [String] = []
        var fetchDestinations: [String] = []
    }

    /// The reason why a request is admitted.
    enum Admission: Sendable, Equatable {
        /// The path requires no token.
        case open
        /// The cookie or the header `Authorization` contains the token.
        case known
        /// The query contains the token.
        case byAddress
        /// The query contains the token, and the request is for a picture embedded in a page of another site.
        case embedded
    }

    enum Verdict: Sendable, Equatable {
        case allow(Admission)
        /// Set the cookie and redirect the browser to this path, so that the token does not stay in the address bar.
        case setCookieAndLead(to: String)
        case refuse(Refusal)
    }

    /// Paths of the pages that users open.
    static let pages: Set = ["/", "/library"]
    /// Paths that require no token.
    static let openPaths: Set = ["/health"]
    /// Path of the WebSocket through which pages receive frames.
    static let socketPath = "/ws"

    let token: AccessToken
    let names: ServedNames

    /// Name of the cookie. It contains the port, since cookies are shared between ports: two Studios on one machine
    /// would overwrite each other's.
    var cookieName: String { "obscura-\(names.port)" }

    func judge(_ request: Request) -> Verdict {
        do {
            return try verdict(request)
        } catch {
            return .refuse(error)
        }
    }

    /// Whether a request is admitted without a redirect.
    func allows(_ head: HTTPRequest) -> Bool {
        if case .allow = judge(Request(head)) { true } else { false }
    }

    private func verdict(_ request: Request) throws(Refusal) -> Verdict {
        let target: RequestTarget
        do {
            target = try RequestTarget(request.target)
        } catch {
            throw error == .tooLong ? .targetTooLong : .malformedTarget
        }
        let host = try host(of: request)
        let hasOurOrigin = try hasOurOrigin(request, host: host)
        let isRead = request.method == .get || request.method == .head
        if !hasOurOrigin {
            // A script sets its token explicitly. A cookie is sent automatically, also for requests that other sites
            // initiate.
            guard isRead || !request.authorizations.isEmpty else { throw .foreignOrigin }
            guard target.path != Self.socketPath else { throw .foreignOrigin }
        }
        let isEmbedded = try isEmbedded(request, target: target, isRead: isRead)
        if isRead, !isEmbedded, Self.openPaths.contains(target.path) { return .allow(.open) }
        return try admission(
            request, target: target, isRead: isRead, isEmbedded: isEmbedded,
            takesCookies: !isEmbedded && (isRead || hasOurOrigin))
    }

    /// Returns the host that the browser addresses. There must be exactly one `Host`, and it must name this server.
    private func host(of request: Request) throws(Refusal) -> Authority {
        guard request.hosts.count == 1, let host = Authority(request.hosts[0]) else { throw .malformedHost }
        guard names.contain(host) else { throw .foreignHost }
        return host
    }

    /// Whether `Origin` is that of this server's own pages; throws for another origin, "null" or duplicates.
    private func hasOurOrigin(_ request: Request, host: Authority) throws(Refusal) -> Bool {
        guard let origin = request.origins.first else { return false }
        guard request.origins.count == 1, names.isOrigin(origin, of: host) else { throw .foreignOrigin }
        return true
    }

    /// Whether a page of another site requests a picture to embed, which then requires a token in the query. A link
    /// that opens one of this server's pages is admitted like a request of its own; all other requests of other sites
    /// throw.
    ///
    /// "same-site" counts as another site: a server on another port of this machine belongs to the same site.
    private func isEmbedded(_ request: Request, target: RequestTarget, isRead: Bool) throws(Refusal) -> Bool {
        guard let site = request.fetchSites.first else { return false }
        if request.fetchSites.count == 1, site == "same-origin" || site == "none" { return false }
        if isRead, Self.isPicture(target.path) { return true }
        guard isRead, Self.pages.contains(target.path), request.fetchModes == ["navigate"],
            request.fetchDestinations == ["document"]
        else { throw .foreignSite }
        return false
    }

    private func admission(
        _ request: Request, target: RequestTarget, isRead: Bool, isEmbedded: Bool, takesCookies: Bool
    ) throws(Refusal) -> Verdict {
        let inAddress = isRead ? target.values(of: "token") : []
        let carried =
            (takesCookies ? cookies(request.cookies) : [])
            + (isEmbedded ? [] : Self.bearers(request.authorizations))
        let isKnown = carried.contains { token.matches($0) }
        let isInAddress = inAddress.contains { token.matches($0) }
        if isInAddress, request.method == .get, Self.pages.contains(target.path) {
            return .setCookieAndLead(to: target.path)
        }
        if isEmbedded, isInAddress { return .allow(.embedded) }
        if isKnown { return .allow(.known) }
        if isInAddress { return .allow(.byAddress) }
        if inAddress.isEmpty, carried.isEmpty { throw .noToken }
        throw .wrongToken
    }

    /// Whether pages of other sites may embed the path, with the token in the query.
    private static func isPicture(_ path: String) -> Bool {
        path.hasPrefix("/cameras/") && (path.hasSuffix("/stream.mjpeg") || path.hasSuffix("/picture.jpg"))
    }

    /// Returns up to eight values of this server's cookie. Browsers also send the cookies of other servers on this
    /// machine, whatever their port.
    private func cookies(_ headers: [String]) -> [Substring] {
        let prefix = "\(cookieName)="
        var values: [Substring] = []
        for cookie in headers.lazy.flatMap({ $0.split(separator: ";") }) where values.count < 8 {
            let cookie = cookie.drop { $0 == " " }
            if cookie.hasPrefix(prefix) { values.append(cookie.dropFirst(prefix.count)) }
        }
        return values
    }

    /// Returns up to four bearer tokens. Another scheme counts as a wrong token.
    private static func bearers(_ headers: [String]) -> [Substring] {
        headers.prefix(4).map { header in
            let parts = header.split(separator: " ", maxSplits: 1)
            return parts.count == 2 && parts[0].lowercased() == "bearer" ? parts[1] : ""
        }
    }
}

extension AccessGate.Request {
    init(_ head: HTTPRequest) {
        self.init(method: head.method, target: head.path ?? "")
        hosts = head.hosts
        origins = head.headerFields[values: .origin]
        cookies = head.headerFields[values: .cookie]
        authorizations = head.headerFields[values: .authorization]
        fetchSites = Self.values("Sec-Fetch-Site", head)
        fetchModes = Self.values("Sec-Fetch-Mode", head)
        fetchDestinations = Self.values("Sec-Fetch-Dest", head)
    }

    private static func values(_ name: String, _ head: HTTPRequest) -> [String] {
        HTTPField.Name(name).map { head.headerFields[values: $0] } ?? []
    }
}

extension Refusal {
    fileprivate static let targetTooLong = Self(.uriTooLong, "invalidRequest", "The address is too long.")
    fileprivate static let foreignOrigin = Self(
        .forbidden, "wrongOrigin", "Only pages of this server may send this request.",
        advice: "In a script, omit 'Origin', and send the token in the header 'Authorization: Bearer TOKEN'.")
    fileprivate static let foreignSite = Self(
        .forbidden, "wrongOrigin", "Pages of other sites are not allowed to load this address.",
        advice: "Only /cameras/…/stream.mjpeg and picture.jpg can be embedded, with '?token=TOKEN' in their address.")
    fileprivate static let noToken = Self(
        .unauthorized, "noToken", "The token is missing.",
        advice: "Open the address that was printed at the start; in a script, send the header "
            + "'Authorization: Bearer TOKEN'.")
    fileprivate static let wrongToken: Self = {
        var refusal = Self(
            .unauthorized, "wrongToken", "The token is wrong.",
            advice: "Open the address that was printed at the start; each start may generate a new token.")
        refusal.isWrongToken = true
        return refusal
    }()
}
