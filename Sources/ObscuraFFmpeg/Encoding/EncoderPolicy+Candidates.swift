// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraMedia

extension EncoderPolicy {
    /// Returns FFmpeg's names of the allowed encoders, the best first.
    package func candidates(for codec: VideoCodec) -> [(name: String, isHardware: Bool)] {
        let chips: [String]
        let programs: [String]
        switch codec {
        case .h264:
            chips = ["h264_nvenc", "h264_vaapi", "h264_qsv", "h264_v4l2m2m"]
            programs = allowsGPL ? ["libx264", "libopenh264"] : ["libopenh264"]
        case .hevc:
            chips = ["hevc_nvenc", "hevc_vaapi", "hevc_qsv", "hevc_v4l2m2m"]
            programs = allowsGPL ? ["libx265", "libkvazaar"] : ["libkvazaar"]
        // For JPEG, a hardware encoder is not worth the transfer of frames to it.
        case .mjpeg: (chips, programs) = ([], ["mjpeg"])
        case .ffv1: (chips, programs) = ([], ["ffv1"])
        }
        let hard = hardware == .never ? [] : chips.map { (name: $0, isHardware: true) }
        let soft = hardware == .required ? [] : programs.map { (name: $0, isHardware: false) }
        return hard + soft
    }
}
