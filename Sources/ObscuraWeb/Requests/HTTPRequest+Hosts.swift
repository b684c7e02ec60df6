// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import HTTPTypes

extension HTTPRequest {
    /// All values of `Host`, so that one given twice is seen: the first is the authority, a second one is still among
    /// the fields.
    package var hosts: [String] {
        (authority.map { [$0] } ?? []) + (HTTPField.Name("Host").map { headerFields[values: $0] } ?? [])
    }
}
