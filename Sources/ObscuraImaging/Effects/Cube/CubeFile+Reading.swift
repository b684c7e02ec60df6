// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

extension CubeFile {
    /// Reads a file.
    ///
    /// - Throws: ``ImagingError/Code/unreadable``; ``ImagingError/Code/damagedData`` with the number of the line that
    ///   is wrong; ``ImagingError/Code/tooLarge`` for a file above 64 MB, or a table above ``largestCube`` and
    ///   ``longestCurve``.
    public init(path: String) throws(ImagingError) {
        try self.init(StillFile.beginning(of: path), name: path)
    }

    /// Reads the bytes of a file.
    ///
    /// - Parameter name: for messages.
    /// - Throws: as ``init(path:)``.
    public init(_ bytes: [UInt8], name: String = "cube file") throws(ImagingError) {
        guard bytes.count < 64 << 20 else {
            throw ImagingError(
                code: .tooLarge, subject: name, reason: "a table of colours may have at most 64 MB", advice: nil)
        }
        var parser = CubeParser(name: name)
        self = try parser.parse(bytes)
    }
}
