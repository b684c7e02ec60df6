// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import HTTPTypes
package import Hummingbird

/// Adds headers to every response, including errors, that make browsers restrict pages and other sites.
package struct SecurityHeaders<Context: RequestContext>: RouterMiddleware {
    package func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        // Headers that a route has set remain.
        for field in SecurityFields.all where response.headers[field.name] == nil {
            response.headers[field.name] = field.value
        }
        return response
    }
}

/// The headers for every response.
package enum SecurityFields {
    package static let all: HTTPFields = {
        let fields = [
            // Scripts, styles and images only from this server; pages use `blob:` for images received over the
            // WebSocket.
            (
                "Content-Security-Policy",
                "default-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; script-src 'self'; "
                    + "style-src 'self'; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; "
                    + "frame-ancestors 'none'"
            ),
            ("X-Content-Type-Options", "nosniff"),
            ("X-Frame-Options", "DENY"),
            // The address may contain the token.
            ("Referrer-Policy", "no-referrer"),
            ("Cross-Origin-Opener-Policy", "same-origin"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
            // Pages need no access to the cameras of the machine on which the browser runs.
            ("Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=(), usb=()"),
            ("Cache-Control", "no-store"),
        ]
        var all = HTTPFields()
        for (name, value) in fields {
            if let name = HTTPField.Name(name) { all.append(HTTPField(name: name, value: value)) }
        }
        return all
    }()

    package static let resourcePolicy = HTTPField.Name("Cross-Origin-Resource-Policy")
}
