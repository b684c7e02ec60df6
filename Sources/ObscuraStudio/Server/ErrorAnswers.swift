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
        } catch let error as any ObscuraError {
            return .error(Self.status(of: error), APIError(error, code: Self.code(of: error)))
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

    static func status(of error: any ObscuraError) -> HTTPResponse.Status {
        switch error {
        case let error as StudioError: status(of: error.code)
        case let error as CaptureError: status(of: error.code)
        case let error as ImagingError where error.code == .invalidRequest: .unprocessableContent
        case let error as WritingError where error.code == .noSpace: .insufficientStorage
        default: .internalServerError
        }
    }

    /// The name of the error in the API; that of our own where it has one.
    static func code(of error: any ObscuraError) -> String {
        switch error {
        case let error as StudioError: error.code.rawValue
        case let error as CaptureError: error.code.description
        case let error as WritingError where error.code == .noSpace: StudioError.Code.noSpace.rawValue
        case let error as ImagingError where error.code == .invalidRequest: StudioError.Code.invalidRequest.rawValue
        default: StudioError.Code.failed.rawValue
        }
    }

    private static func status(of code: StudioError.Code) -> HTTPResponse.Status {
        switch code {
        case .invalidName: .badRequest
        case .invalidRequest: .unprocessableContent
        case .notAllowed: .forbidden
        case .noSuchItem, .noSuchCamera, .noSuchDevice: .notFound
        case .wrongState: .conflict
        case .tooMuch: .tooManyRequests
        case .noSpace: .insufficientStorage
        case .cannotListen, .unprotectedAddress, .invalidCertificate, .missingResources, .unusableFolder, .failed:
            .internalServerError
        }
    }

    private static func status(of code: CaptureError.Code) -> HTTPResponse.Status {
        switch code {
        case .notAuthorized: .forbidden
        case .noSuchDevice: .notFound
        case .timedOut: .gatewayTimeout
        case .unreadable, .truncated: .unprocessableContent
        case .unsupportedFormat, .unsupportedControl, .invalidValue, .invalidConfiguration: .unprocessableContent
        case .deviceInUse, .deviceDisconnected, .controlInactive, .notRunning: .conflict
        default: .internalServerError
        }
    }
}

/// The rest of a request's body will not come: the connection broke, or what came is no HTTP.
struct RequestCutOff: Error {}

extension HTTPResponse.Status {
    static let insufficientStorage = HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage")
}
