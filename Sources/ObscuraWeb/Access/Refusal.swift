// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import HTTPTypes

/// The rejection of a request, with its response.
package struct Refusal: Error, Sendable, Equatable {
    package var status: HTTPResponse.Status
    package var error: APIError
    /// Whether the rejection may be the result of guessing a token.
    package var isWrongToken = false

    package init(_ status: HTTPResponse.Status, _ code: String, _ message: String, advice: String? = nil) {
        self.status = status
        error = APIError(code: code, message: message, advice: advice)
    }

    package static let malformedTarget = Self(
        .badRequest, "invalidRequest", "The path of the request is invalid or ambiguous.")
    package static let malformedHost = Self(
        .badRequest, "invalidRequest", "Exactly one header 'Host' is required, with a name or an address.")
    package static let foreignHost = Self(
        .forbidden, "wrongHost", "The host name is not a name of this server.",
        advice: "Open the address that the server printed at its start, or add this name to the host names of the "
            + "server.")
}
