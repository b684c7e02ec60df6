// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The JSON body of an error response.
package struct APIError: Codable, Sendable, Equatable {
    package struct Body: Codable, Sendable, Equatable {
        package var code: String
        package var message: String
        package var advice: String?
    }

    package var error: Body

    package init(code: String, message: String, advice: String? = nil) {
        error = Body(code: code, message: message, advice: advice)
    }
}
