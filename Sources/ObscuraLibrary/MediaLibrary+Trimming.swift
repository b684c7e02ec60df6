// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
public import ObscuraMedia
internal import ObscuraMovies

extension MediaLibrary {
    /// Writes a part of a movie to a new item beside it, such as `NAME-trimmed.mp4`, without encoding it again. The
    /// movie itself is not changed.
    ///
    /// The part of a Matroska or WebM movie begins at the key frame before `start`.
    ///
    /// - Parameters:
    ///   - path: the movie.
    ///   - start: the start, from the first frame of the movie.
    ///   - end: the end, from the first frame of the movie; nil for the end of the movie.
    /// - Returns: the new item.
    /// - Throws: ``ObscuraError/Code/invalidRequest`` for a photo, and for a part without frames;
    ///   ``ObscuraError/Code/diskFull`` and others.
    @discardableResult
    nonisolated(nonsending) public func trim(
        _ path: String, from start: MediaTime, to end: MediaTime? = nil
    ) async throws(ObscuraError) -> LibraryItem {
        let (movie, place, wanted) = try await run { [self] () throws(ObscuraError) in
            let path = try existing(path)
            guard path.type?.kind == .movie else {
                throw ObscuraError(
                    .library, .invalidRequest, subject: path.text,
                    reason: "it is a photo, and only movies can be trimmed",
                    advice: "Choose a movie.")
            }
            let movie = try folder.open(path)
            try folder.requireSpace(for: movie.size, path.text)
            let place = try ObscuraError.about(path.text) { () throws(SystemError) in try folder.folder(path.folder) }
            // WebM has fewer codecs than Matroska, and the same form.
            let ending = path.type == .webM ? "mkv" : path.nameParts.ending
            return (
                movie, place, LibraryPath(name: "\(path.nameParts.stem)-trimmed.\(ending)", in: path.folder) ?? path
            )
        }
        while true {
            let target = try await run { [self] () throws(ObscuraError) in try UnusedPath(folder).path(like: wanted) }
            do {
                // By the descriptors of the file and of its folder, which no other program can replace by links.
                _ = try await MovieTrimmer.trim(
                    movie.path, reading: MediaReading.movieOptions, from: start, to: end,
                    into: "\(place.file.path)/\(target.name)")
            } catch {
                // Another program has created a file of this name.
                if error.code == .fileExists { continue }
                throw error.about(path)
            }
            return try await run { [self] () throws(ObscuraError) in
                try reindex([target])
                return try current(target)
            }
        }
    }
}
