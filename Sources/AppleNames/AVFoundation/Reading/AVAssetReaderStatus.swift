// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The status of an asset reader.
public enum AVAssetReaderStatus: Int, Sendable {
    /// Reading has not started.
    case unknown
    /// Samples can be read.
    case reading
    /// All samples of all outputs were read.
    case completed
    /// An error has ended the reader.
    case failed
    /// The reader was cancelled.
    case cancelled
}
