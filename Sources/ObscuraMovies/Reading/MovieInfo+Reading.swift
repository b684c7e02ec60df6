// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

extension MovieInfo {
    /// Opens a path or an address, reads what it says about itself, and closes it. Blocks the thread, for
    /// at most ``MovieReadingOptions/connectTimeout`` on a network.
    ///
    /// - Throws: ``ObscuraError``.
    public static func read(
        _ location: String, options: MovieReadingOptions = MovieReadingOptions()
    ) throws(ObscuraError) -> MovieInfo {
        guard let info = try MovieReader(location, options: options).info else {
            throw ObscuraError(.movies, .noVideo, subject: location, reason: "it has no moving picture")
        }
        return info
    }
}
