// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import HTTPTypes
package import Hummingbird

/// The routes, and what stands around all of them: the security headers, the form of errors, the gate.
///
/// Hummingbird's own middleware covers only the routes that are added after it. Here no route can be added past the
/// gate, whoever adds it and when.
package struct GuardedResponder<Access: RouterMiddleware>: HTTPResponder
where Access.Input == Request, Access.Output == Response, Access.Context == WebContext {
    package typealias Context = WebContext

    private let headers = SecurityHeaders<WebContext>()
    /// For what is refused before a route is found; see ``Router/web(errors:)``.
    private let errors: ErrorAnswers
    private let access: Access
    private let nothingHere: RequestFailure
    private let routes: RouterResponder<WebContext>
    private let methods: AllowedMethods

    /// - Parameters:
    ///   - router: of ``Router/web(errors:)``; a route that is added later is not served.
    ///   - nothingHere: what an address is answered that does not exist.
    package init(
        router: Router<WebContext>, access: Access, errors: ErrorAnswers = ErrorAnswers(),
        nothingHere: RequestFailure = .noSuchAddress
    ) {
        self.errors = errors
        self.access = access
        self.nothingHere = nothingHere
        methods = AllowedMethods(router)
        routes = router.buildResponder()
    }

    package func respond(to request: Request, context: WebContext) async throws -> Response {
        try await headers.handle(request, context: context) { request, context in
            try await errors.handle(request, context: context) { request, context in
                try await access.handle(request, context: context, next: route)
            }
        }
    }

    private func route(_ request: Request, _ context: WebContext) async throws -> Response {
        let allowed = methods.allowed(at: request.uri.path)
        guard !allowed.isEmpty else { throw nothingHere }
        if !allowed.contains(request.method.rawValue) {
            var response = Response.error(RequestFailure.wrongMethod.status, RequestFailure.wrongMethod.error)
            response.headers[.allow] = allowed.sorted().joined(separator: ", ")
            return response
        }
        return try await routes.respond(to: request, context: context)
    }
}

extension Router where Context == WebContext {
    /// A router whose GET routes answer HEAD as well, and whose errors get our form, before the router's own would be
    /// given to some of them.
    package static func web(errors: ErrorAnswers = ErrorAnswers()) -> Router<WebContext> {
        let router = Router(context: WebContext.self, options: [.autoGenerateHeadEndpoints])
        router.add(middleware: errors)
        return router
    }
}

/// Which methods an address takes: the router itself only says that there is no such route.
package struct AllowedMethods: Sendable {
    private let routes: [(path: RouterPath, methods: Set<String>)]

    package init(_ router: Router<WebContext>) {
        var found: [String: (path: RouterPath, methods: Set<String>)] = [:]
        for route in router.routes {
            var methods: Set = [route.method.rawValue]
            // The router makes a HEAD of each GET.
            if route.method == .get { methods.insert(HTTPRequest.Method.head.rawValue) }
            found[route.path.description, default: (route.path, [])].methods.formUnion(methods)
        }
        routes = Array(found.values)
    }

    /// Empty where there is nothing.
    package func allowed(at path: String) -> Set<String> {
        let parts = path.split(separator: "/")
        return routes.lazy.filter { route in
            route.path.count == parts.count && zip(route.path.components, parts).allSatisfy { $0 ~= $1 }
        }.reduce(into: []) { $0.formUnion($1.methods) }
    }
}
