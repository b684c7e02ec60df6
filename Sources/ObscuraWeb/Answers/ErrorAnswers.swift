// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import HTTPTypes
package import Hummingbird
package import ObscuraMedia

/// Converts every error to a response of the same form, without internal details.
package struct ErrorAnswers: RouterMiddleware {
    package typealias Context = WebContext

    private let failure: @Sendable (ObscuraError) -> RequestFailure?

    /// - Parameter failure: returns the response for an error of the library; nil responds as to an unknown error.
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
            // An error of Hummingbird, for example for a parameter that is not a number.
            return .error(error.status, APIError(code: "invalidRequest", message: error.body ?? "\(error.status)"))
        } catch is RequestCutOff {
            return .error(RequestFailure.cutOff.status, RequestFailure.cutOff.error)
        } catch is CancellationError {
            return .error(.serviceUnavailable, APIError(code: "stopping", message: "The server is stopping."))
        } catch {
            if let known = (error as? ObscuraError).flatMap(failure) { return .error(known.status, known.error) }
            // Its text is written to the log, and not sent to the client.
            context.logger.error("A request failed", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
            return .error(RequestFailure.unknown.status, RequestFailure.unknown.error)
        }
    }
}

/// The rest of a request's body is missing: the connection was lost, or the data is not valid HTTP.
package struct RequestCutOff: Error {}
