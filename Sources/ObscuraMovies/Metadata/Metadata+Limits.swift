// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraFFmpeg
internal import ObscuraMedia

extension Metadata {
    /// The maximum size of all texts of a movie together, in bytes. Players read them at once when they open a movie, and
    /// each fragmented file repeats them.
    private static let mostBytes = 1 << 20

    /// Throws unless a movie can have this metadata.
    ///
    /// - Parameter path: the path of the movie.
    func check(for path: String) throws(ObscuraError) {
        func refuse(_ reason: String, _ advice: String) -> ObscuraError {
            .invalidSettings(.recording, path, reason, advice)
        }
        let texts = [title, description, author, copyright, make, model, software, language].compactMap(\.self)
        let all = texts + keywords + translatedTexts.values + custom.keys + custom.values
        let byteCount = all.reduce(0) { $0 + $1.utf8.count }
        guard byteCount <= Self.mostBytes else {
            throw refuse(
                "its metadata has \(byteCount) bytes; the limit is \(Self.mostBytes)",
                "Write large data to a separate file.")
        }
        guard !all.contains(where: { $0.utf8.contains(0) }) else {
            throw refuse("its metadata contains a zero byte, where other programs end a text", "Remove the byte.")
        }
        if let language = translations.keys.first(where: { !LanguageCode.isValid($0) }) {
            throw refuse(
                "the language \(language) of a translation is not a code of three lower-case letters",
                "Use the code of ISO 639-2, such as eng.")
        }
        guard !custom.keys.contains("") else { throw refuse("the key of a metadata item is empty", "Give it a key.") }
        if let keyword = keywords.first(where: { $0.contains(",") }) {
            throw refuse("the keyword \(keyword) contains a comma, which separates keywords", "Use two keywords.")
        }
    }
}
