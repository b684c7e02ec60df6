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
    /// Whether the file contains the compressed frame of the camera, unchanged, instead of a newly encoded image.
    ///
    /// The frame is copied if all of these conditions are met:
    /// - The frame is in ``PixelFormat/mjpeg``, and is an ordinary JPEG of 8 bits, gray or in color.
    /// - The settings request a JPEG without a quality.
    /// - No setting changes the image: its size, rotation or mirroring in pixels, effects, or the color space of the
    ///   input.
    ///
    /// The file then has the tables and the compressed data of the camera. Standard Huffman tables are added if the
    /// frame has none. ``metadata`` replaces all metadata of the frame.
    public internal(set) var isCopied = false
    /// The size of the image in the file, in pixels. With ``PhotoSettings/OrientationPlacement/exif``, before the
    /// rotation by the EXIF orientation.
    public let size: PixelSize
    /// The rotation that makes the stored image upright: not `up` with ``PhotoSettings/OrientationPlacement/exif`` only.
    package var orientation = Orientation.up
    /// Whether the stored image must be mirrored horizontally after ``orientation``.
    package var isMirrored = false
    /// The metadata, which is also stored in the file.
    public let metadata: Metadata
    /// The presentation time of the frame, on the timeline of the source: CLOCK_MONOTONIC for a live camera.
    public let presentationTime: MediaTime
    /// The capture time of the frame, on CLOCK_MONOTONIC.
    public let hostTime: HostTime
    /// The sequence number of the frame.
    public let sequence: UInt64
    /// The original frame of the camera; nil if ``PhotoSettings/keepsFrame`` is false.
    public let frame: VideoFrame?
    /// The switch of the camera's mode for this photo; nil if the mode was not switched.
    public internal(set) var modeSwitch: ModeSwitch?

    /// A switch of the camera to another mode for a photo, and back.
    public struct ModeSwitch: Sendable {
        /// The mode of the photo.
        public internal(set) var format: VideoFormat
        /// The time from the last frame before the switch to the first frame in the mode of the photo; nil if there was
        /// no frame before the switch.
        public internal(set) var gapBefore: Duration?
        /// The time from the last frame in the mode of the photo to the first frame after the switch back. Nil if the
        /// photo was returned before the first frame after the switch back arrived, as in a burst.
        public internal(set) var gapAfter: Duration?
        /// The error with which the switch back to the former mode failed; nil if no such error occurred.
        public internal(set) var returnFailure: ObscuraError?
    }

    /// Writes the file atomically: the data is written to a temporary file in the same folder and flushed to the disk,
    /// and the temporary file is then renamed. Missing folders are created.
    ///
    /// Suspends until the file is written, without blocking the calling thread.
    ///
    /// - Parameters:
    ///   - path: the path of the file; its extension does not change the format.
    ///   - overwrites: whether an existing file is replaced. If false, an existing file is an error.
    /// - Throws: ``ObscuraError``: `fileExists`, `diskFull`, `notWritable`. After an error, no new file exists, and an
    ///   existing file is unchanged.
    nonisolated(nonsending) public func write(
        to path: String, overwrites: Bool = false
    ) async throws(ObscuraError) {
        try await PhotoFile.write(data, to: path, overwrites: overwrites)
    }
}
