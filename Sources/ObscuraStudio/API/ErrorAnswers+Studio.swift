// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import HTTPTypes
internal import Obscura
internal import ObscuraWeb

extension ErrorAnswers {
    /// Error responses that include the errors of cameras and of the library.
    static let studio = ErrorAnswers { RequestFailure(status(of: $0), APIError($0)) }

    static func status(of error: ObscuraError) -> HTTPResponse.Status {
        switch error.code {
        case .invalidName: .badRequest
        case .notAllowed: .forbidden
        case .notAuthorized where error.domain != .imaging: .forbidden
        case .noSuchItem, .noSuchCamera, .noSuchDevice: .notFound
        case .notFound where error.domain == .movies || error.domain == .library: .notFound
        case .cancelled, .wrongState, .deviceInUse, .deviceDisconnected, .connectionFailed, .controlInactive,
            .notRunning:
            .conflict
        case .invalidRequest, .invalidValue, .invalidLocation, .invalidConfiguration, .unsupportedFormat,
            .unsupportedControl:
            .unprocessableContent
        case .unreadable, .truncated, .unsupportedContainer, .unsupportedCodec: .unprocessableContent
        case .tooMuch, .outOfBuffers: .tooManyRequests
        case .timedOut: .gatewayTimeout
        case .libraryMissing: .notImplemented
        case .diskFull: .insufficientStorage
        default: .internalServerError
        }
    }
}

extension HTTPResponse.Status {
    fileprivate static let insufficientStorage = HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage")
}
