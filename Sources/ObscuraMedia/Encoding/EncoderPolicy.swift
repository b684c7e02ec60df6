// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// Which encoders may be taken for the pictures of a movie.
///
/// Without a word of yours it is the best that the machine has: one in hardware that has encoded a frame in this
/// process, else one in software.
public struct EncoderPolicy: Sendable, Hashable {
    /// What becomes of the encoders in hardware.
    public enum Hardware: String, Sendable, Hashable, CaseIterable, Codable {
        /// Taken if there is one that works.
        case preferred
        /// Not even looked for.
        case never
        /// The only ones that are taken.
        case required
    }

    /// What becomes of the encoders in hardware.
    public var hardware: Hardware
    /// Whether encoders under the GPL (x264, x265) may be taken. Without them, software needs OpenH264 for H.264 and
    /// Kvazaar for HEVC, if FFmpeg was built with it.
    public var allowsGPL: Bool

    /// The best that the machine has, unless told otherwise.
    public init(hardware: Hardware = .preferred, allowsGPL: Bool = true) {
        self.hardware = hardware
        self.allowsGPL = allowsGPL
    }
}
