// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser

/// A language by the three letters of ISO 639-2, which is what movies and photos keep.
struct LanguageArgument: Sendable, Hashable {
    let code: String

    /// - Throws: `ValidationError` for anything else: a movie would keep only a part of it.
    init(argument: String) throws {
        guard argument.count == 3, argument.allSatisfy({ $0.isASCII && $0.isLetter }) else {
            throw ValidationError(
                argument.count == 2
                    ? "Movies keep a language as three letters (ISO 639-2), such as eng, deu or fra, not as two."
                    : "Write a language as three letters (ISO 639-2), such as eng, deu or fra.")
        }
        code = argument.lowercased()
    }
}
