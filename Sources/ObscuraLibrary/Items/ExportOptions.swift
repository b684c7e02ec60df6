// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraImaging

/// Settings for exporting items.
public struct ExportOptions: Sendable, Hashable {
    /// The format of exported photos; nil for the format of each original. Photos that have this format and no edits
    /// are copied.
    public var format: StillInfo.Kind?
    /// The JPEG quality of photos that are encoded again, 1 to 100.
    public var quality = 95
    /// Whether the keywords that were added in the library are written into photos. A photo with such keywords is
    /// then encoded again.
    public var writesKeywords = false
    /// Whether existing files are replaced.
    public var overwrites = false

    /// Creates the default settings.
    public init() {}
}
