// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

/// Effects, in their order.
struct EffectOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "What is done to the pictures, one after the other. Example: --effect mono --effect blur:4",
            discussion: VideoEffect.forms.joined(separator: ", "),
            valueName: "effect"),
        transform: EffectArgument.init(argument:))
    var effect: [EffectArgument] = []

    var effects: [VideoEffect] { effect.map(\.effect) }
}

/// An effect by its name.
struct EffectArgument: Sendable, Hashable {
    let effect: VideoEffect

    /// - Throws: `ValidationError` for an unknown name, or a number or a file that cannot be.
    init(argument: String) throws {
        do {
            effect = try VideoEffect(parsing: argument)
        } catch let error as ObscuraError {
            throw ValidationError(error.commandText)
        }
    }
}
