// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

/// An effect by its name.
struct EffectArgument: Sendable, Hashable {
    let effect: VideoEffect

    /// - Throws: `ValidationError` for an unknown name, or an invalid number or file.
    init(argument: String) throws {
        do {
            effect = try VideoEffect(parsing: argument)
        } catch let error as ObscuraError {
            throw ValidationError(error.commandText)
        }
    }
}
