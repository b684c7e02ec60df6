// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import HTTPTypes
internal import ObscuraWeb

/// Decides who is let in, from the head of a request alone. A pure value.
///
/// Three questions, in this order, and each must be answered rightly: Does the browser mean us (`Host`)? Does a page
/// of ours ask (`Origin`, `Sec-Fetch-Site`)? Does it know the token? Until the last, an answer says nothing that a
/// stranger does not know.
struct AccessGate: Sendable {
    /// What of a request's head counts. All values of a header are here, so that one given twice is seen.
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

    /// How a request is let in.
    enum Admission: Sendable, Equatable {
        /// It needs no token.
        case open
        /// By the cookie or the header.
        case known
        /// By a token in its own address.
        case byAddress
        /// By a token in its own address, from a page that is not ours: a picture that is embedded there.
        case embedded
    }

    enum Verdict: Sendable, Equatable {
        case allow(Admission)
        /// Set the cookie, and lead the browser on to this path, so that the token stays not in the address bar.
        case setCookieAndLead(to: String)
        case refuse(Refusal)
    }

    /// The pages that a person opens.
    static let pages: Set = ["/", "/library"]
    /// What needs no token.
    static let openPaths: Set = ["/health"]
    /// Where pages get their pictures.
    static let socketPath = "/ws"

    let token: AccessToken
    let names: ServedNames

    /// The name of the cookie. Cookies know no ports: two Studios on one machine would overwrite each other's.
    var cookieName: String { "obscura-\(names.port)" }

    func judge(_ request: Request) -> Verdict {
        do {
            return try verdict(request)
        } catch {
            return .refuse(error)
        }
    }

    /// Whether a request is let in as it is.
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
            // A script names its token itself. A cookie goes along by itself, whoever made the browser send it.
            guard isRead || !request.authorizations.isEmpty else { throw .foreignOrigin }
            guard target.path != Self.socketPath else { throw .foreignOrigin }
        }
        let isEmbedded = try isEmbedded(request, target: target, isRead: isRead)
        if isRead, !isEmbedded, Self.openPaths.contains(target.path) { return .allow(.open) }
        return try admission(
            request, target: target, isRead: isRead, isEmbedded: isEmbedded,
            takesCookies: !isEmbedded && (isRead || hasOurOrigin))
    }

    /// Whom the browser means. There must be one `Host`, and it must be ours.
    private func host(of request: Request) throws(Refusal) -> Authority {
        guard request.hosts.count == 1, let host = Authority(request.hosts[0]) else { throw .malformedHost }
        guard names.contain(host) else { throw .foreignHost }
        return host
    }

    /// Whether `Origin` says that a page of ours asks; a foreign one, "null" and two of them are refused.
    private func hasOurOrigin(_ request: Request, host: Authority) throws(Refusal) -> Bool {
        guard let origin = request.origins.first else { return false }
        guard request.origins.count == 1, names.isOrigin(origin, of: host) else { throw .foreignOrigin }
        return true
    }

    /// Whether a foreign page asks, for something that it may ask for: a page of ours that a person opens by a link,
    /// or a picture to embed; the picture then needs a token in its address. Anything else is refused.
    ///
    /// "same-site" is foreign as well: another server on this machine, on another port, is of the same site.
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

    /// What may be shown in a page that is not ours, with the token in its address.
    private static func isPicture(_ path: String) -> Bool {
        path.hasPrefix("/cameras/") && (path.hasSuffix("/stream.mjpeg") || path.hasSuffix("/picture.jpg"))
    }

    /// The values of our cookie: those of other servers on this machine, whatever their port, come along. At most
    /// eight are looked at.
    private func cookies(_ headers: [String]) -> [Substring] {
        let prefix = "\(cookieName)="
        var values: [Substring] = []
        for cookie in headers.lazy.flatMap({ $0.split(separator: ";") }) where values.count < 8 {
            let cookie = cookie.drop { $0 == " " }
            if cookie.hasPrefix(prefix) { values.append(cookie.dropFirst(prefix.count)) }
        }
        return values
    }

    /// At most four. One of another scheme is a wrong token.
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
        .forbidden, "wrongOrigin", "Only a page of this server may do that.",
        advice: "A script sends no Origin, and its token in the header 'Authorization: Bearer TOKEN'.")
    fileprivate static let foreignSite = Self(
        .forbidden, "wrongOrigin", "A page of another site may not load that.",
        advice: "Only /cameras/…/stream.mjpeg and picture.jpg can be embedded, with '?token=TOKEN' in their address.")
    fileprivate static let noToken = Self(
        .unauthorized, "noToken", "This needs the token.",
        advice: "Open the address that the Studio printed when it started; a script sends "
            + "'Authorization: Bearer TOKEN'.")
    fileprivate static let wrongToken: Self = {
        var refusal = Self(
            .unauthorized, "wrongToken", "That is not the token.",
            advice: "Open the address that the Studio printed when it started; each start may make a new token.")
        refusal.isWrongToken = true
        return refusal
    }()
}
