// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The result of a check of a library.
public struct VerificationReport: Sendable, Hashable, Codable {
    /// Number of items, without those in the trash.
    public internal(set) var itemCount = 0
    /// Number of items in the trash.
    public internal(set) var trashCount = 0
    /// The problems, ordered by path.
    public internal(set) var problems: [LibraryProblem] = []
}
