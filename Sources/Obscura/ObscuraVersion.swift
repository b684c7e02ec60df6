// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The version of Obscura.
public enum ObscuraVersion {
    /// The version of this build, according to Semantic Versioning.
    public static let current = "0.1.0"
}
