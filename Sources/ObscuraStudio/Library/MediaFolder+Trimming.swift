// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraLibrary
internal import ObscuraMovies

extension MediaFolder {
    /// Writes a part of a movie to a new file, `NAME-trimmed`, without encoding it again.
    ///
    /// - Parameters:
    ///   - start: the start, in seconds from the first frame.
    ///   - end: the end, in seconds; nil for the end of the movie.
    /// - Throws: ``ObscuraError/Code/invalidRequest`` for photos, and for a part without frames.
    nonisolated(nonsending) func trim(_ text: String, from start: Double, to end: Double?) async throws -> MediaItem {
        guard start.isFinite, start >= 0, (end ?? .greatestFiniteMagnitude) > start, end ?? 0 < 1e9, start < 1e9 else {
            throw ObscuraError(
                .studio, .invalidRequest, subject: text,
                reason: "the start must be 0 or more, and the end after the start",
                advice: "Use seconds from the start of the movie.")
        }
        let (source, target) = try await run(about: text) { [self] in
            let name = try item(text)
            guard name.type.kind == .movie else {
                throw ObscuraError(
                    .studio, .invalidRequest, subject: text, reason: "it is a photo, and only movies can be trimmed",
                    advice: "Choose a movie.")
            }
            guard let status = directory.status(of: name.text) else { throw ObscuraError.noSuchItem(text) }
            try directory.requireSpace(for: Int(clamping: status.size), text)
            // The trimmer writes no WebM; Matroska holds the same streams.
            let ending = name.type == .webM ? MediaFileType.matroska.ending : name.ending
            let target = try uniqueNames.claim(stem: "\(name.stem)-trimmed", ending: ending)
            // By its descriptor, since another program could replace it by a link.
            return (try directory.open(name.text), target)
        }
        do {
            _ = try await MovieTrimmer.trim(
                source.path, reading: MediaReading.movieOptions, from: MediaTime(seconds: start),
                to: end.map { MediaTime(seconds: $0) }, into: try directory.path(of: target.text))
            withExtendedLifetime(source) {}
        } catch {
            guard error.code == .invalidRequest else { throw ObscuraError(error, about: text) }
            throw ObscuraError(.studio, .invalidRequest, subject: text, reason: error.reason, remedy: error.remedy)
        }
        return try await item(named: target.text)
    }
}
