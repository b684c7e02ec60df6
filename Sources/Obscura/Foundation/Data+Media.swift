// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import FoundationEssentials
public import ObscuraCapture
public import ObscuraImaging
public import ObscuraMedia

extension Data {
    /// Copies the JPEG or PNG data of a photo.
    public init(_ photo: Photo) {
        self.init(photo.data)
    }

    /// Copies the compressed data of a frame.
    public init(_ frame: EncodedFrame) {
        self.init(frame.data)
    }
}

extension Still {
    /// Decodes a JPEG or PNG file in memory.
    public init(_ data: Data) throws {
        try self.init([UInt8](data))
    }
}

extension StillInfo {
    /// Reads the format and the metadata of a JPEG or PNG file in memory.
    public init(_ data: Data) throws(ObscuraError) {
        try self.init([UInt8](data))
    }
}

extension CubeFile {
    /// Reads a `.cube` file in memory.
    ///
    /// - Parameters:
    ///   - data: The contents of the file.
    ///   - name: The name used in messages.
    public init(_ data: Data, name: String = "cube file") throws(ObscuraError) {
        try self.init([UInt8](data), name: name)
    }
}
