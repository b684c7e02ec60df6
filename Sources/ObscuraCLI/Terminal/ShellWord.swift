// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A word of a command that somebody can copy into a shell.
enum ShellWord {
    /// The word as it is where a shell takes it for one, else in quotes.
    static func quoted(_ word: String) -> String {
        let plain = word.unicodeScalars.allSatisfy { character in
            character.properties.isAlphabetic || ("0"..."9").contains(character)
                || "/._-+,:@%".unicodeScalars.contains(character)
        }
        guard !plain || word.isEmpty else { return word }
        return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
