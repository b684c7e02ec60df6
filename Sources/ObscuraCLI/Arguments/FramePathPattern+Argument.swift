// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

extension FramePathPattern {
    /// The pattern of an option.
    ///
    /// - Throws: `ValidationError` for one that makes no sense.
    init(argument: String) throws {
        do throws(ObscuraError) {
            try self.init(argument)
        } catch {
            throw ValidationError(error.description)
        }
    }
}
