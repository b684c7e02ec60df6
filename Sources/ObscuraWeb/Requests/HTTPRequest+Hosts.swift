// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import HTTPTypes

extension HTTPRequest {
    /// All values of `Host`, so that duplicates are detected: the first is stored as the authority, and further ones
    /// among the header fields.
    package var hosts: [String] {
        (authority.map { [$0] } ?? []) + (HTTPField.Name("Host").map { headerFields[values: $0] } ?? [])
    }
}
