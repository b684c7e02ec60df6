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

    /// FFmpeg's names of the encoders that may be taken, the best first.
    func candidates(for codec: VideoCodec) -> [(name: String, isHardware: Bool)] {
        let chips: [String]
        let programs: [String]
        switch codec {
        case .h264:
            chips = ["h264_nvenc", "h264_vaapi", "h264_qsv", "h264_v4l2m2m"]
            programs = allowsGPL ? ["libx264", "libopenh264"] : ["libopenh264"]
        case .hevc:
            chips = ["hevc_nvenc", "hevc_vaapi", "hevc_qsv", "hevc_v4l2m2m"]
            programs = allowsGPL ? ["libx265", "libkvazaar"] : ["libkvazaar"]
        // In hardware they have no advantage that is worth the way to it.
        case .mjpeg: (chips, programs) = ([], ["mjpeg"])
        case .ffv1: (chips, programs) = ([], ["ffv1"])
        }
        let hard = hardware == .never ? [] : chips.map { (name: $0, isHardware: true) }
        let soft = hardware == .required ? [] : programs.map { (name: $0, isHardware: false) }
        return hard + soft
    }
}
