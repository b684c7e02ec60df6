// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import HTTPTypes
package import Hummingbird

/// What tells a browser how little our answers may do, and others with them. On every answer, errors among them.
package struct SecurityHeaders<Context: RequestContext>: RouterMiddleware {
    package func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        // What a route has set itself it means.
        for field in SecurityFields.all where response.headers[field.name] == nil {
            response.headers[field.name] = field.value
        }
        return response
    }
}

/// The headers that every answer bears.
package enum SecurityFields {
    package static let all: HTTPFields = {
        let fields = [
            // Scripts, styles and pictures come from us alone; `blob:` is how a page shows what came over its socket.
            (
                "Content-Security-Policy",
                "default-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; script-src 'self'; "
                    + "style-src 'self'; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; "
                    + "frame-ancestors 'none'"
            ),
            ("X-Content-Type-Options", "nosniff"),
            ("X-Frame-Options", "DENY"),
            // The address may hold the token.
            ("Referrer-Policy", "no-referrer"),
            ("Cross-Origin-Opener-Policy", "same-origin"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
            // The cameras of the machine on which the browser runs are not what we show.
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
