// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The status of an asset writer.
public enum AVAssetWriterStatus: Int, Sendable {
    /// Writing has not started.
    case unknown
    /// The movie is being written.
    case writing
    /// The movie is complete.
    case completed
    /// An error has ended the movie.
    case failed
    /// The movie was cancelled, and deleted.
    case cancelled
}
