// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import HTTPTypes
package import Hummingbird
package import ObscuraMedia

/// Makes an answer of every error, so that each has the same form and none says more than it should.
package struct ErrorAnswers: RouterMiddleware {
    package typealias Context = WebContext

    private let failure: @Sendable (ObscuraError) -> RequestFailure?

    /// - Parameter failure: what an error of the library is answered; nil for an answer as to every unknown error.
    package init(failure: @escaping @Sendable (ObscuraError) -> RequestFailure? = { _ in nil }) {
        self.failure = failure
    }

    package func handle(
        _ request: Request, context: WebContext, next: (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as RequestFailure {
            return .error(error.status, error.error)
        } catch let error as HTTPError {
            // Of Hummingbird's own: a parameter that is no number, say.
            return .error(error.status, APIError(code: "invalidRequest", message: error.body ?? "\(error.status)"))
        } catch is RequestCutOff {
            return .error(RequestFailure.cutOff.status, RequestFailure.cutOff.error)
        } catch is CancellationError {
            return .error(.serviceUnavailable, APIError(code: "stopping", message: "The server is stopping."))
        } catch {
            if let known = (error as? ObscuraError).flatMap(failure) { return .error(known.status, known.error) }
            // What it says is for us, not for whoever asked.
            context.logger.error("A request failed", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
            return .error(RequestFailure.unknown.status, RequestFailure.unknown.error)
        }
    }
}

/// The rest of a request's body will not come: the connection broke, or what came is no HTTP.
package struct RequestCutOff: Error {}
