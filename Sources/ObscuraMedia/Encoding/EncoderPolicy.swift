// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The selection of encoders for the video of a movie.
///
/// By default, the best encoder of the machine is used: a hardware encoder if one works, else a software encoder. Each
/// hardware encoder is tested with one frame, once per process.
public struct EncoderPolicy: Sendable, Hashable {
    /// The use of hardware encoders.
    public enum Hardware: String, Sendable, Hashable, CaseIterable, Codable {
        /// Use a hardware encoder if one works, else a software encoder.
        case preferred
        /// Use software encoders only, without a search for hardware encoders.
        case never
        /// Use hardware encoders only.
        case required
    }

    /// The use of hardware encoders.
    public var hardware: Hardware
    /// Whether encoders under the GPL (x264, x265) may be used. Without these encoders, software encoding needs an
    /// FFmpeg built with OpenH264 for H.264 and Kvazaar for HEVC.
    public var allowsGPL: Bool

    /// Creates a policy; by default, it allows the best encoder of the machine.
    public init(hardware: Hardware = .preferred, allowsGPL: Bool = true) {
        self.hardware = hardware
        self.allowsGPL = allowsGPL
    }
}
