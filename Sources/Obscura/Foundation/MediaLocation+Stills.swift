// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraCapture
public import ObscuraImaging
public import ObscuraMedia

extension Still {
    /// Reads a JPEG or PNG file; see ``init(contentsOf:)-(String)``.
    public init(contentsOf file: some MediaLocation) throws {
        try self.init(contentsOf: file.mediaLocation)
    }

    /// Writes the still to a file; see ``write(to:as:overwrites:)-(String,_,_)``.
    nonisolated(nonsending) public func write(
        to file: some MediaLocation, as format: StillFormat? = nil, overwrites: Bool = false
    ) async throws {
        try await write(to: file.mediaLocation, as: format, overwrites: overwrites)
    }
}

extension StillInfo {
    /// Reads the format and the metadata of a JPEG or PNG file.
    public init(contentsOf file: some MediaLocation) throws(ObscuraError) {
        try self.init(contentsOf: file.mediaLocation)
    }
}

extension Photo {
    /// Writes the photo to a file; see ``write(to:overwrites:)-(String,_)``.
    nonisolated(nonsending) public func write(
        to file: some MediaLocation, overwrites: Bool = false
    ) async throws(ObscuraError) {
        try await write(to: file.mediaLocation, overwrites: overwrites)
    }
}

extension CubeFile {
    /// Reads a `.cube` file; see ``init(path:)-(String)``.
    public init(path file: some MediaLocation) throws(ObscuraError) {
        try self.init(path: file.mediaLocation)
    }
}

extension VideoEffect {
    /// Returns the effect that applies the color table of a `.cube` file.
    public static func lut(file: some MediaLocation) throws(ObscuraError) -> VideoEffect {
        try lut(file: file.mediaLocation)
    }
}
