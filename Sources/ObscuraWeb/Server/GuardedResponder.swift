// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import HTTPTypes
package import Hummingbird

/// The router, with the security headers, error responses and access checks that apply to every route.
///
/// Hummingbird's own middleware applies only to routes that are added after it. Here no route can bypass the access
/// checks, regardless of when it is added.
package struct GuardedResponder<Access: RouterMiddleware>: HTTPResponder
where Access.Input == Request, Access.Output == Response, Access.Context == WebContext {
    package typealias Context = WebContext

    private let headers = SecurityHeaders<WebContext>()
    /// Converts errors that occur outside the router; see ``Router/web(errors:)``.
    private let errors: ErrorAnswers
    private let access: Access
    private let nothingHere: RequestFailure
    private let routes: RouterResponder<WebContext>
    private let methods: AllowedMethods

    /// - Parameters:
    ///   - router: a router from ``Router/web(errors:)``; routes that are added later are not served.
    ///   - nothingHere: the response for a path that does not exist.
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
    /// Returns a router whose GET routes also respond to HEAD, and whose errors are converted before the router would
    /// convert some of them itself.
    package static func web(errors: ErrorAnswers = ErrorAnswers()) -> Router<WebContext> {
        let router = Router(context: WebContext.self, options: [.autoGenerateHeadEndpoints])
        router.add(middleware: errors)
        return router
    }
}

/// The methods that each path supports; the router itself only reports that there is no route.
package struct AllowedMethods: Sendable {
    private let routes: [(path: RouterPath, methods: Set<String>)]

    package init(_ router: Router<WebContext>) {
        var found: [String: (path: RouterPath, methods: Set<String>)] = [:]
        for route in router.routes {
            var methods: Set = [route.method.rawValue]
            // The router adds HEAD to each GET.
            if route.method == .get { methods.insert(HTTPRequest.Method.head.rawValue) }
            found[route.path.description, default: (route.path, [])].methods.formUnion(methods)
        }
        routes = Array(found.values)
    }

    /// Returns the methods of a path; empty if the path does not exist.
    package func allowed(at path: String) -> Set<String> {
        let parts = path.split(separator: "/")
        return routes.lazy.filter { route in
            route.path.count == parts.count && zip(route.path.components, parts).allSatisfy { $0 ~= $1 }
        }.reduce(into: []) { $0.formUnion($1.methods) }
    }
}
