// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The containers that may be read, by FFmpeg's names. All others are rejected, regardless of their content.
///
/// FFmpeg selects a demuxer by a file's content, and some demuxers open files that the content names: playlists (`hls`,
/// `dash`, `concat`), scripts, numbered images, `vobsub`. Therefore this is a list of allowed demuxers; a list of
/// forbidden ones would not be safe. None of these opens a second file; in addition, a file's context may open nothing
/// else (``InputContext``).
package enum Demuxers {
    /// The containers of files. Audio containers are included to distinguish them from damaged files.
    package static let file: Set<String> = [
        // Movies.
        "mov", "matroska", "webm", "avi", "mpegts", "mpeg", "mpegvideo", "flv", "live_flv", "ogg", "asf", "nut", "mxf",
        "ivf", "obu", "gxf", "dv", "rm", "wtv", "nuv", "swf", "mpjpeg", "smjpeg", "yuv4mpegpipe", "gif", "apng",
        // Elementary streams.
        "h264", "hevc", "vvc", "m4v", "h263", "h261", "vc1", "vc1test", "mjpeg", "mjpeg_2000", "cavsvideo", "dirac",
        "dnxhd", "av1", "evc",
        // Formats of old programs and machines.
        "flic", "roq", "smk", "bink", "ea", "film_cpk", "idcin", "wc3movie", "wsvqa", "4xm", "nsv", "rpl", "mm", "vmd",
        // Single images, read as a movie of one frame.
        "jpeg_pipe", "png_pipe", "webp_pipe", "bmp_pipe", "tiff_pipe", "pam_pipe", "pbm_pipe", "pgm_pipe", "ppm_pipe",
        "qoi_pipe", "jpegxl_pipe", "j2k_pipe", "gif_pipe", "exr_pipe", "dpx_pipe", "sgi_pipe", "pcx_pipe",
        // Audio.
        "wav", "w64", "mp3", "flac", "aac", "ac3", "eac3", "aiff", "au", "caf", "amr", "dts", "ape", "tta", "wv", "voc",
        "truehd", "oma",
    ]

    /// Elementary streams, without a container and therefore without times: they can only be read from their start.
    package static let bare: Set<String> = [
        "h264", "hevc", "vvc", "m4v", "h263", "h261", "vc1", "mjpeg", "mjpeg_2000", "mpegvideo", "cavsvideo", "dirac",
        "dnxhd", "obu", "av1", "evc",
    ]

    /// Whether the times of the packets are in the container. If false, the demuxer calculates them from a frame rate,
    /// although the frames of a camera have other times.
    package static func hasTimes(_ name: String) -> Bool {
        !bare.contains(name) && name != "mpjpeg" && !name.hasSuffix("_pipe")
    }

    /// Returns the containers of network addresses. URLs in playlists are limited to the protocols of the address, and
    /// are opened with its options (``FFmpegLog/Owner/watchConnections(of:)``); only `dash` opens connections without
    /// them.
    ///
    /// - Parameter checksCertificates: whether a password may be sent only to a server with a verified certificate.
    package static func network(checksCertificates: Bool) -> Set<String> {
        let lists: Set = ["hls", "webvtt", "rtsp", "rtp", "sdp"]
        return file.union(checksCertificates ? lists : lists.union(["dash"]))
    }

    /// Whether a demuxer, given by its name or list of names, is one of the allowed demuxers.
    package static func isOne(of allowed: Set<String>, _ name: String) -> Bool {
        name.split(separator: ",").contains { allowed.contains(String($0)) && file.contains(String($0)) }
    }
}
