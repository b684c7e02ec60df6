// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Foundation
internal import Hummingbird

extension WebContext {
    /// The part `{name}` of the path, decoded, once: the router hands it out as it stood in the path.
    ///
    /// ``RequestTarget`` has made sure that it has no slash and no control character. It may still be no name that a
    /// folder should be asked for, or none of a thing that exists.
    package func parameter(_ name: String) throws -> String {
        guard let raw = parameters.get(name), let text = raw.removingPercentEncoding, !text.isEmpty else {
            throw RequestFailure.noSuchAddress
        }
        return text
    }
}
