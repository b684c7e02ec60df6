// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

extension MovieFrameWriter {
    /// Creates a movie file; see ``init(path:video:overwrites:)-(String,_,_)``.
    public convenience init(
        path file: some MediaLocation, video: VideoSettings = VideoSettings(), overwrites: Bool = false
    ) throws(ObscuraError) {
        try self.init(path: file.mediaLocation, video: video, overwrites: overwrites)
    }
}

extension TimestampWriter {
    /// Creates a file for the timestamps of frames; see ``init(path:overwrites:)-(String,_)``.
    public convenience init(path file: some MediaLocation, overwrites: Bool = false) throws(ObscuraError) {
        try self.init(path: file.mediaLocation, overwrites: overwrites)
    }
}

extension FramePathPattern {
    /// Parses a path pattern with a placeholder for the frame number; see ``init(_:)-(String)``.
    public init(_ pattern: some MediaLocation) throws(ObscuraError) {
        try self.init(pattern.mediaLocation)
    }
}

extension FrameStreamWriter.Destination {
    /// Returns the destination for a path: a new file, or an existing pipe or device.
    public static func file(_ file: some MediaLocation) -> Self {
        .file(file.mediaLocation)
    }
}
