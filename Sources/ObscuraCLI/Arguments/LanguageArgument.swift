// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser

/// A language as an ISO 639-2 code of three letters, which movies and photos store.
struct LanguageArgument: Sendable, Hashable {
    let code: String

    /// - Throws: `ValidationError` for any other text: a movie would store only a part of it.
    init(argument: String) throws {
        guard argument.count == 3, argument.allSatisfy({ $0.isASCII && $0.isLetter }) else {
            throw ValidationError(
                argument.count == 2
                    ? "Movies store a language as three letters (ISO 639-2), such as eng, deu or fra, not as two."
                    : "Write a language as three letters (ISO 639-2), such as eng, deu or fra.")
        }
        code = argument.lowercased()
    }
}
