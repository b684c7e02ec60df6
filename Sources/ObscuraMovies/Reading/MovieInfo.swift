// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// The properties of a movie's video that are known before any frame is decoded.
public struct MovieInfo: Sendable, Hashable {
    /// The path, or the URL with passwords masked.
    public let location: String
    /// FFmpeg's name of the container, such as `mov,mp4,m4a,3gp,3g2,mj2`.
    public let containerName: String
    /// The codec's short name, such as `h264`.
    public let codecName: String
    /// The format of the frames before rotation, including the frame rate (an average if the rate varies).
    public let format: VideoFormat
    /// Duration of the video; nil if the container does not specify it, as in a live stream.
    public let duration: MediaTime?
    /// Time of the first frame on the file's own timeline, which need not begin at zero; nil if unknown.
    public let startTime: MediaTime?
    /// Expected number of frames; nil if the container does not specify it.
    public let frameCount: Int?
    /// Clockwise rotation that makes the frames upright.
    public let uprightTurn: Orientation
    /// Whether the frames must be mirrored horizontally to be displayed correctly. Mirror after the rotation by
    /// ``uprightTurn``.
    public let isMirrored: Bool
    /// The color space of the frames.
    public let colorSpace: ColorSpace
    /// Whether the source is a live stream, which has no end and is not seekable.
    public let isLive: Bool
    /// The properties of the audio; nil if the movie has no audio, or if the installed FFmpeg cannot decode the audio.
    public let sound: MovieSoundInfo?
}
