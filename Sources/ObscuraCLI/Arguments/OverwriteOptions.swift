// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser

/// Whether existing files are replaced.
struct OverwriteOptions: ParsableArguments {
    @Flag(help: "Replace existing files.")
    private(set) var overwrite = false
}
