// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import HTTPTypes
internal import Hummingbird
internal import ObscuraWeb

/// Adds a revision to the answer of each request that changes something. States with a lower revision may be from before
/// the change, and a page ignores what they tell about it.
struct RevisionHeader: RouterMiddleware {
    typealias Context = WebContext

    private static let name = HTTPField.Name("Obscura-Revision")

    let studio: Studio

    func handle(
        _ request: Request, context: WebContext, next: (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        if request.method != .get, request.method != .head, let name = Self.name {
            response.headers[name] = "\(studio.nextRevision())"
        }
        return response
    }
}
