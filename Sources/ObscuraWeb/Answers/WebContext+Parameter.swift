// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Foundation
internal import Hummingbird

extension WebContext {
    /// Returns the path parameter `{name}`, percent-decoded once, since the router returns it as it is in the path.
    ///
    /// ``RequestTarget`` ensures that it contains no slash or control character. It may still be an invalid file name,
    /// or name something that does not exist.
    package func parameter(_ name: String) throws -> String {
        guard let raw = parameters.get(name), let text = raw.removingPercentEncoding, !text.isEmpty else {
            throw RequestFailure.noSuchAddress
        }
        return text
    }
}
