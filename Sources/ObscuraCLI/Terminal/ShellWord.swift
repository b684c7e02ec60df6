// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A word of a command that can be copied into a shell.
enum ShellWord {
    /// Returns the word unchanged if a shell reads it as one word, otherwise in quotes.
    static func quoted(_ word: String) -> String {
        let plain = word.unicodeScalars.allSatisfy { character in
            character.properties.isAlphabetic || ("0"..."9").contains(character)
                || "/._-+,:@%".unicodeScalars.contains(character)
        }
        guard !plain || word.isEmpty else { return word }
        // By scalars: with a combining mark after it, the quote would be another character.
        return "'" + word.unicodeScalars.map { $0 == "'" ? "'\\''" : String($0) }.joined() + "'"
    }
}
