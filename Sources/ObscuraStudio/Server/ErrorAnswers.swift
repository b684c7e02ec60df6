// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import HTTPTypes
internal import Hummingbird
internal import Obscura

/// Makes an answer of every error, so that each has the same form and none says more than it should.
struct ErrorAnswers: RouterMiddleware {
    typealias Context = StudioContext

    func handle(
        _ request: Request, context: StudioContext, next: (Request, StudioContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as RequestFailure {
            return .error(error.status, error.error)
        } catch let error as ObscuraError {
            return .error(Self.status(of: error), APIError(error))
        } catch let error as HTTPError {
            // Of Hummingbird's own: a parameter that is no number, say.
            return .error(error.status, APIError(code: "invalidRequest", message: error.body ?? "\(error.status)"))
        } catch is RequestCutOff {
            return .error(RequestFailure.cutOff.status, RequestFailure.cutOff.error)
        } catch is CancellationError {
            return .error(.serviceUnavailable, APIError(code: "stopping", message: "The server is stopping."))
        } catch {
            // What it says is for us, not for whoever asked.
            context.logger.error("A request failed", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
            return .error(RequestFailure.unknown.status, RequestFailure.unknown.error)
        }
    }

    static func status(of error: ObscuraError) -> HTTPResponse.Status {
        switch error.code {
        case .invalidName: .badRequest
        case .notAllowed: .forbidden
        case .notAuthorized where error.domain != .imaging: .forbidden
        case .noSuchItem, .noSuchCamera, .noSuchDevice: .notFound
        case .notFound where error.domain == .movies: .notFound
        case .wrongState, .deviceInUse, .deviceDisconnected, .connectionFailed, .controlInactive, .notRunning: .conflict
        case .invalidRequest, .invalidValue, .invalidConfiguration, .unsupportedFormat, .unsupportedControl:
            .unprocessableContent
        case .unreadable, .truncated, .unsupportedContainer, .unsupportedCodec: .unprocessableContent
        case .tooMuch, .outOfBuffers: .tooManyRequests
        case .timedOut: .gatewayTimeout
        case .diskFull: .insufficientStorage
        default: .internalServerError
        }
    }
}

/// The rest of a request's body will not come: the connection broke, or what came is no HTTP.
struct RequestCutOff: Error {}

extension HTTPResponse.Status {
    static let insufficientStorage = HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage")
}
