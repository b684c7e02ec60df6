// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import HTTPTypes
internal import Hummingbird
internal import Obscura
internal import ObscuraWeb

/// Applies the gate to every request before it reaches a route.
struct AccessMiddleware: RouterMiddleware {
    typealias Context = WebContext

    /// The gate; nil until the listening address is known, and then no request is admitted.
    let gate: @Sendable () -> AccessGate?
    let attempts: TokenAttempts

    func handle(
        _ request: Request, context: WebContext, next: (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        guard let gate = gate() else { return .error(.serviceUnavailable, .notYet) }
        switch gate.judge(AccessGate.Request(request.head)) {
        case .allow(let admission):
            var response = try await next(request, context)
            if admission == .embedded, let name = SecurityFields.resourcePolicy {
                response.headers[name] = "cross-origin"
            }
            return response
        case .setCookieAndLead(let path):
            return .letIn(by: gate, path: path)
        case .refuse(let refusal):
            return await refuse(refusal, request, context)
        }
    }

    private func refuse(
        _ refusal: Refusal, _ request: Request, _ context: WebContext
    ) async -> Response {
        var response = Response.error(refusal.status, refusal.error)
        if refusal.isWrongToken, await attempts.hold(context) {
            response = .error(.tooManyRequests, .tooManyGuesses)
            response.headers[.retryAfter] = "60"
        }
        if refusal.status == .unauthorized {
            response.headers[.wwwAuthenticate] = "Bearer"
            if request.method == .get, AccessGate.pages.contains(request.uri.path) { response.explain(refusal.error) }
        }
        return response
    }
}

extension Response {
    /// Returns a page that sets the cookie and immediately opens `path`.
    ///
    /// A redirect is not sufficient: after a link from another origin (a mail, a file, a terminal in a browser), the
    /// browser would attribute the redirected request to that origin, and omit the strict cookie. A request from this
    /// page is attributed to this server.
    ///
    /// - Parameter path: one of ``AccessGate/pages``.
    fileprivate static func letIn(by gate: AccessGate, path: String) -> Response {
        let cookie = "\(gate.cookieName)=\(gate.token.text); Path=/; HttpOnly; SameSite=Strict"
        let isSecure = gate.names.scheme == "https"
        let page = """
            <!doctype html>
            <html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=\(path)">
            <title>Obscura Studio</title>
            <p><a href="\(path)">Obscura Studio</a></p>
            </html>
            """
        return Response(
            status: .ok,
            headers: [.contentType: "text/html; charset=utf-8", .setCookie: isSecure ? cookie + "; Secure" : cookie],
            body: ResponseBody(byteBuffer: ByteBuffer(string: page)))
    }

    /// Replaces the body with the error as a page for users of a browser.
    fileprivate mutating func explain(_ error: APIError) {
        let text = """
            <!doctype html>
            <html lang="en"><meta charset="utf-8"><title>Obscura Studio</title>
            <h1>Obscura Studio</h1>
            <p>\(error.error.message) \(error.error.advice ?? "")</p>
            <p>The address was printed in the terminal of the Studio, and ends in <code>/?token=…</code>.</p>
            </html>
            """
        body = ResponseBody(byteBuffer: ByteBuffer(string: text))
        headers[.contentType] = "text/html; charset=utf-8"
    }
}

extension APIError {
    fileprivate static let notYet = APIError(code: "notYet", message: "The Studio is starting.")
    fileprivate static let tooManyGuesses = APIError(
        code: "tooManyAttempts", message: "Too many wrong tokens were sent from this IP address.",
        advice: "Open the address that was printed at the start.")
}
