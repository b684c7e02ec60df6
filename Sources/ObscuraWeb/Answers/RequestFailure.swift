// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Foundation
package import HTTPTypes

/// A failure of a request, with its response.
package struct RequestFailure: Error, Sendable, Equatable {
    package let status: HTTPResponse.Status
    package let error: APIError

    package init(_ status: HTTPResponse.Status, _ code: String, _ message: String, advice: String? = nil) {
        self.status = status
        error = APIError(code: code, message: message, advice: advice)
    }

    package init(_ status: HTTPResponse.Status, _ error: APIError) {
        self.status = status
        self.error = error
    }

    /// Creates the failure for a body of a form that the route does not accept.
    package init(_ error: DecodingError) {
        let reason: String
        switch error {
        case .keyNotFound(let key, let context):
            reason = "\(Self.name(context.codingPath + [key])) is missing."
        case .valueNotFound(_, let context):
            reason = "\(Self.name(context.codingPath)) is null."
        case .typeMismatch(_, let context):
            reason = "\(Self.name(context.codingPath)) has the wrong type."
        case .dataCorrupted(let context) where !context.codingPath.isEmpty:
            reason = "\(Self.name(context.codingPath)) has an invalid value."
        case .dataCorrupted:
            reason = "The body is not JSON, or contains a number that is too large."
        @unknown default:
            reason = "The body is not valid for this address."
        }
        self.init(.badRequest, "invalidRequest", reason, advice: "See /openapi.json.")
    }

    /// Creates the failure for a property that a request does not have.
    package init(unknownProperty name: String, known: [String]) {
        self.init(
            .badRequest, "invalidRequest", "There is no property \"\(name.prefix(64))\" here.",
            advice: "The properties are \(known.joined(separator: ", ")). See /openapi.json.")
    }

    package static let notJSON = RequestFailure(
        .unsupportedMediaType, "invalidRequest", "The body must be JSON.",
        advice: "Send it with 'Content-Type: application/json'.")

    package static func tooLarge(_ limit: Int) -> RequestFailure {
        RequestFailure(.contentTooLarge, "tooMuch", "The body exceeds the limit of \(limit) bytes.")
    }

    package static let noSuchAddress = RequestFailure(
        .notFound, "notFound", "There is nothing at this address.", advice: "See /openapi.json.")

    package static let wrongMethod = RequestFailure(
        .methodNotAllowed, "methodNotAllowed", "This address does not support the method.",
        advice: "The header 'Allow' lists the supported methods.")

    package static let cutOff = RequestFailure(
        .badRequest, "invalidRequest", "The body is incomplete, or its HTTP framing is invalid.")

    package static let unknown = RequestFailure(
        .internalServerError, "failed", "The server failed unexpectedly.", advice: "See the log of the server.")

    /// Returns the path of a value in JavaScript notation, such as `"tiles[2].width"`. Keys come from outside; long
    /// ones are truncated.
    private static func name(_ path: [any CodingKey]) -> String {
        var name = ""
        for key in path.prefix(16) {
            if let index = key.intValue {
                name += "[\(index)]"
            } else {
                name += (name.isEmpty ? "" : ".") + key.stringValue.prefix(64)
            }
        }
        return name.isEmpty ? "The body" : "\"\(name)\""
    }
}
