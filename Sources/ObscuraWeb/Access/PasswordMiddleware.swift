// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Foundation
internal import HTTPTypes
package import Hummingbird

/// Lets in who knows the name and the password, as HTTP's "Basic" has it (RFC 7617). Stands before every route.
///
/// Without a password pages of other sites are kept out instead: their browser might let them read what only this machine
/// or its network may see, under a name of their own (see ``ServedNames``). A password they do not have.
package struct PasswordMiddleware: RouterMiddleware {
    package typealias Context = WebContext

    /// `name:password`; nil lets everybody in.
    package let secret: Secret?
    /// Under which names it may be asked for without a password; nil for any.
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
        // Each address is taken in one spelling only, as the Studio takes it.
        guard (try? RequestTarget(request.head.path ?? "")) != nil else { return .refused(.malformedTarget) }
        guard let secret else {
            if let refusal = names.flatMap({ Self.refusal(request, $0) }) { return .refused(refusal) }
            return try await next(request, context)
        }
        let given = request.headers[values: .authorization]
        // Who names none is a browser that does not know yet that it is asked for.
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

    /// What stands in the header, as bytes; nil for another scheme and for what is no base64.
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
    fileprivate static let noPassword = APIError(code: "noPassword", message: "This needs a name and a password.")
    fileprivate static let wrongPassword = APIError(
        code: "wrongPassword", message: "That is not the name, or not the password.")
    fileprivate static let tooManyPasswords = APIError(
        code: "tooManyAttempts", message: "Too many wrong passwords came from this address.",
        advice: "Try again in half a minute.")
}
