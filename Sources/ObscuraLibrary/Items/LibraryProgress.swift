// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The progress of a long operation.
public struct LibraryProgress: Sendable, Hashable {
    /// The number of files processed so far.
    public let completed: Int
    /// The number of files to process; nil while it is unknown.
    public let total: Int?
    /// The number of bytes read or copied so far.
    public let byteCount: Int64
}
