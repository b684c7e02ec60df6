// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Foundation
internal import HTTPTypes
package import Hummingbird

/// Requires a name and a password by HTTP's "Basic" scheme (RFC 7617), before every route.
///
/// Without a password, it rejects requests whose `Host` is not a name of this server: by DNS rebinding, a page of
/// another site could otherwise read content that only this machine or its network may read (see ``ServedNames``). With
/// a password this is not necessary, since such a page does not have it.
package struct PasswordMiddleware: RouterMiddleware {
    package typealias Context = WebContext

    /// `name:password`; nil requires none.
    package let secret: Secret?
    /// The permitted values of `Host` if there is no password; nil permits any.
    package let names: ServedNames?
    package let attempts: PasswordAttempts

    package init(secret: Secret?, names: ServedNames?, attempts: PasswordAttempts) {
        self.secret = secret
        self.names = names
        self.attempts = attempts
    }

    package func handle(
        _ request: Request, context: WebContext, next: (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        // Each path is accepted in only one spelling, as in the Studio.
        guard (try? RequestTarget(request.head.path ?? "")) != nil else { return .refused(.malformedTarget) }
        guard let secret else {
            if let refusal = names.flatMap({ Self.refusal(request, $0) }) { return .refused(refusal) }
            return try await next(request, context)
        }
        let given = request.headers[values: .authorization]
        // A browser sends no password until the server requests one.
        guard !given.isEmpty else { return .unauthorized(.noPassword) }
        let words = given.count == 1 ? Self.words(given[0]) : nil
        let (isRight, retryAfter) = await attempts.judge(context) { words.map(secret.matches) ?? false }
        switch isRight {
        case true?: return try await next(request, context)
        case false?: return .unauthorized(.wrongPassword)
        case nil:
            var response = Response.error(.tooManyRequests, .tooManyPasswords)
            response.headers[.retryAfter] = "\(retryAfter.components.seconds + 1)"
            return response
        }
    }

    private static func refusal(_ request: Request, _ names: ServedNames) -> Refusal? {
        let hosts = request.head.hosts
        guard hosts.count == 1, let host = Authority(hosts[0]) else { return .malformedHost }
        return names.know(host) ? nil : .foreignHost
    }

    /// Returns the decoded credentials; nil for another scheme and for invalid base64.
    private static func words(_ header: String) -> [UInt8]? {
        let parts = header.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "basic" else { return nil }
        return Data(base64Encoded: String(parts[1])).map { [UInt8]($0) }
    }
}

extension Response {
    fileprivate static func refused(_ refusal: Refusal) -> Response {
        .error(refusal.status, refusal.error)
    }

    fileprivate static func unauthorized(_ error: APIError) -> Response {
        var response = Response.error(.unauthorized, error)
        response.headers[.wwwAuthenticate] = #"Basic realm="Obscura", charset="UTF-8""#
        return response
    }
}

extension APIError {
    fileprivate static let noPassword = APIError(code: "noPassword", message: "A name and a password are required.")
    fileprivate static let wrongPassword = APIError(
        code: "wrongPassword", message: "The name or the password is wrong.")
    fileprivate static let tooManyPasswords = APIError(
        code: "tooManyAttempts", message: "Too many wrong passwords were sent from this IP address.",
        advice: "Try again in half a minute.")
}
