// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraImaging
public import ObscuraMedia

/// A photo: a complete file in memory, and the metadata of its frame.
public struct Photo: Sendable {
    /// The contents of the file.
    public let data: [UInt8]
    /// The format of the file.
    public let format: StillFormat
    /// The size of the stored image, in pixels.
    public let size: PixelSize
    /// The metadata, which is also stored in the file.
    public let metadata: Metadata
    /// The presentation time of the frame, on the timeline of its source.
    public let presentationTime: MediaTime
    /// The capture time of the frame, on CLOCK_MONOTONIC.
    public let hostTime: HostTime
    /// The sequence number of the frame.
    public let sequence: UInt64
    /// The original frame of the camera, if ``PhotoSettings/keepsFrame`` is set.
    public let frame: VideoFrame?
    /// The switch of the camera's mode for this photo; nil if there was none.
    public internal(set) var modeSwitch: ModeSwitch?

    /// A switch of the camera to another mode for a photo, and back.
    public struct ModeSwitch: Sendable {
        /// The mode of the photo.
        public internal(set) var format: VideoFormat
        /// The time from the last frame before the switch to the first frame in the mode of the photo; nil if there was
        /// no frame before the switch.
        public internal(set) var gapBefore: Duration?
        /// The time from the last frame in the mode of the photo to the first frame after the switch back; nil if that
        /// frame had not arrived when the photo was returned, as in a burst.
        public internal(set) var gapAfter: Duration?
        /// The error because of which the camera did not switch back; nil if the camera did.
        public internal(set) var returnFailure: ObscuraError?
    }

    /// Writes the file atomically: it is written under a temporary name in the same folder, flushed to the
    /// disk, and then renamed. Missing folders are created.
    ///
    /// Suspends while a thread of the library waits for the disk.
    ///
    /// - Parameters:
    ///   - path: the path of the file; its extension does not change the format.
    ///   - overwrites: whether an existing file is replaced.
    /// - Throws: ``ObscuraError``: `fileExists`, `diskFull`, `notWritable`; then no new file exists, and an
    ///   existing one is unchanged.
    nonisolated(nonsending) public func write(
        to path: String, overwrites: Bool = false
    ) async throws(ObscuraError) {
        try await PhotoFile.write(data, to: path, overwrites: overwrites)
    }
}
