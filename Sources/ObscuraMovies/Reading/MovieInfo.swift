// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// What a movie says about itself before its first frame is read.
public struct MovieInfo: Sendable, Hashable {
    /// The path or address, passwords masked.
    public let location: String
    /// The container's short name, such as `mov,mp4,m4a,3gp,3g2,mj2`.
    public let containerName: String
    /// The codec's short name, such as `h264`.
    public let codecName: String
    /// What the frames look like before any turning, and their rate (an average where it varies).
    public let format: VideoFormat
    /// How long the pictures go on; nil where the container does not say (a live stream).
    public let duration: MediaTime?
    /// The time of the beginning on the file's own timeline; not always zero. Nil where unknown.
    public let startTime: MediaTime?
    /// How many frames there should be; nil where the container does not say.
    public let frameCount: Int?
    /// The turn that brings the picture upright, clockwise.
    public let uprightTurn: Orientation
    /// Whether left and right are to change places after the turn.
    public let isMirrored: Bool
    /// What the samples mean as colours.
    public let colorSpace: ColorSpace
    /// Whether the source has no end and cannot be sought.
    public let isLive: Bool
    /// What it says of its sound; nil if there is none that can be decoded here.
    public let sound: MovieSoundInfo?
}
