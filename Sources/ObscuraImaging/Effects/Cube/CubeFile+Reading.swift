// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

extension CubeFile {
    /// Reads a `.cube` file.
    ///
    /// - Throws: ``ObscuraError/Code/unreadable``; ``ObscuraError/Code/damaged`` with the number of the invalid line;
    ///   ``ObscuraError/Code/tooLarge`` for a file of 64 MiB or more, or a table above ``largestCube`` or
    ///   ``longestCurve``.
    public init(path: String) throws(ObscuraError) {
        try self.init(StillFile.beginning(of: path), name: path)
    }

    /// Parses the bytes of a `.cube` file.
    ///
    /// - Parameters:
    ///   - bytes: the contents of the file.
    ///   - name: the name of the file in error messages.
    /// - Throws: as ``init(path:)-(String)``.
    public init(_ bytes: [UInt8], name: String = "cube file") throws(ObscuraError) {
        guard bytes.count < 64 << 20 else {
            throw ObscuraError(
                .imaging, .tooLarge, subject: name, reason: "a .cube file must be smaller than 64 MiB", advice: nil)
        }
        var parser = CubeParser(name: name)
        self = try parser.parse(bytes)
    }
}
