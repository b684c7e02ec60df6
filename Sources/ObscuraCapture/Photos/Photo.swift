// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraImaging
public import ObscuraMedia

/// A photo: a whole file in memory, and what is known about its moment.
public struct Photo: Sendable {
    /// The file.
    public let data: [UInt8]
    /// What the file is.
    public let format: StillFormat
    /// The size of the picture as it is stored, in pixels.
    public let size: PixelSize
    /// What the photo says of itself; it stands in the file as well.
    public let metadata: Metadata
    /// When the frame is shown, on the timeline of its source.
    public let presentationTime: MediaTime
    /// When it was taken, on CLOCK_MONOTONIC.
    public let hostTime: HostTime
    /// The driver's number of the frame.
    public let sequence: UInt64
    /// The camera's own picture, if ``PhotoSettings/keepsFrame`` asked for it.
    public let frame: VideoFrame?
    /// What a switch of the camera's mode took; nil where there was none.
    public internal(set) var modeSwitch: ModeSwitch?

    /// A switch of the camera to another mode for a photo, and back.
    public struct ModeSwitch: Sendable {
        /// The mode of the photo.
        public internal(set) var format: VideoFormat
        /// From the last frame of the stream's mode to the first one of the photo's; nil if there was none before.
        public internal(set) var gapBefore: Duration?
        /// From the last frame of the photo's mode to the first one of the stream's; nil where that has not come
        /// when the photo was handed out, as in a burst.
        public internal(set) var gapAfter: Duration?
        /// Why the camera did not go back to the stream's mode; nil when it did.
        public internal(set) var returnFailure: ObscuraError?
    }

    /// Writes the file. Under its name it is never seen in part: it grows under another name beside it, is brought
    /// to the disk, and then gets its name. Folders that are missing are made.
    ///
    /// Suspends while a thread of our own waits for the disk.
    ///
    /// - Parameter overwrites: whether a file that is there is replaced.
    /// - Throws: ``ObscuraError``: `fileExists`, `diskFull`, `notWritable`; then there is no new file, and one that was
    ///   there is as it was.
    nonisolated(nonsending) public func write(
        to path: String, overwrites: Bool = false
    ) async throws(ObscuraError) {
        try await PhotoFile.write(data, to: path, overwrites: overwrites)
    }
}
