// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

extension BroadcastDestination {
    /// - Throws: `ValidationError` for an invalid address.
    init(argument: String) throws {
        do {
            try self.init(argument)
        } catch {
            throw ValidationError(error.commandText)
        }
    }
}
