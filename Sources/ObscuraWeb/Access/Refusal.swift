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
        .badRequest, "invalidRequest", "The path of the address is not spelt as this server takes it.")
    package static let malformedHost = Self(
        .badRequest, "invalidRequest", "There must be one Host, and it must be a name or an address.")
    package static let foreignHost = Self(
        .forbidden, "wrongHost", "This server is not known under that name.",
        advice: "Open the address that it printed when it started. Other names must be given to it when it starts.")
}
