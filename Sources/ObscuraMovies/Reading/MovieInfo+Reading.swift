// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

extension MovieInfo {
    /// Opens the movie at a path or a URL, reads its properties, and closes the movie. Blocks the thread; for a URL, at
    /// most for ``MovieReadingOptions/connectTimeout``.
    ///
    /// - Throws: ``ObscuraError``: the errors of ``MovieContents/read(_:options:)-(String,_)``; also `noVideo`,
    ///   `unsupportedCodec` and `tooLarge`.
    public static func read(
        _ location: String, options: MovieReadingOptions = MovieReadingOptions()
    ) throws(ObscuraError) -> MovieInfo {
        guard let info = try MovieReader(location, options: options).info else {
            throw ObscuraError(.movies, .noVideo, subject: location, reason: "it has no video")
        }
        return info
    }
}
