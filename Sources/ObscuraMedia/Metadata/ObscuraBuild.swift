// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// Not `ObscuraVersion`: the compiler leaves a name that begins with "<module>Version" out of the symbol graph.

/// The build of Obscura that the program uses.
public enum ObscuraBuild {
    /// The version, according to Semantic Versioning.
    public static let version = "0.1.0"

    /// The name and the version, as in the metadata of photos and movies.
    package static let program = "Obscura \(version)"
}
