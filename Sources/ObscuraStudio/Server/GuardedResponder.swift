// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import HTTPTypes
internal import Hummingbird

/// The routes, and what stands around all of them: the security headers, the form of errors, the gate.
///
/// Hummingbird's own middleware covers only the routes that are added after it. Here no route can be added past the
/// gate, whoever adds it and when.
struct GuardedResponder<Access: RouterMiddleware>: HTTPResponder
where Access.Input == Request, Access.Output == Response, Access.Context == StudioContext {
    typealias Context = StudioContext

    private let headers = SecurityHeaders<StudioContext>()
    /// For what is refused before a route is found; see ``Router/studio()``.
    private let errors = ErrorAnswers()
    private let access: Access
    private let nothingHere: RequestFailure
    private let routes: RouterResponder<StudioContext>
    private let methods: AllowedMethods

    /// - Parameter nothingHere: what an address is answered that there is not.
    init(router: Router<StudioContext>, access: Access, nothingHere: RequestFailure = .noSuchAddress) {
        self.access = access
        self.nothingHere = nothingHere
        methods = AllowedMethods(router)
        routes = router.buildResponder()
    }

    func respond(to request: Request, context: StudioContext) async throws -> Response {
        try await headers.handle(request, context: context) { request, context in
            try await errors.handle(request, context: context) { request, context in
                try await access.handle(request, context: context, next: route)
            }
        }
    }

    private func route(_ request: Request, _ context: StudioContext) async throws -> Response {
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

extension Router where Context == StudioContext {
    /// A router as the Studio's routes need it: each GET is a HEAD as well, and their errors get our form, before the
    /// router's own would be given to some of them.
    static func studio() -> Router<StudioContext> {
        let router = Router(context: StudioContext.self, options: [.autoGenerateHeadEndpoints])
        router.add(middleware: ErrorAnswers())
        return router
    }
}

/// Which methods an address takes: the router itself only says that there is no such route.
struct AllowedMethods: Sendable {
    private let routes: [(path: RouterPath, methods: Set<String>)]

    init(_ router: Router<StudioContext>) {
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
    func allowed(at path: String) -> Set<String> {
        let parts = path.split(separator: "/")
        return routes.lazy.filter { route in
            route.path.count == parts.count && zip(route.path.components, parts).allSatisfy { $0 ~= $1 }
        }.reduce(into: []) { $0.formUnion($1.methods) }
    }
}
