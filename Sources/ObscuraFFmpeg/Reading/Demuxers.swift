// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The containers that are read, by FFmpeg's names. All others are refused, whatever their bytes say.
///
/// FFmpeg chooses a demuxer by what a file contains, and some demuxers open what the content names:
/// playlists (`hls`, `dash`, `concat`), scripts, numbered pictures, `vobsub`. So a list of what is allowed
/// is safe, and a list of what is forbidden would not be. None of these opens a second file; beyond the
/// list, a file's context may open nothing at all (``InputContext``).
package enum Demuxers {
    /// What a file may be. The sound containers are here to be told apart from broken files.
    package static let file: Set<String> = [
        // Movies.
        "mov", "matroska", "webm", "avi", "mpegts", "mpeg", "mpegvideo", "flv", "live_flv", "ogg", "asf", "nut", "mxf",
        "ivf", "obu", "gxf", "dv", "rm", "wtv", "nuv", "swf", "mpjpeg", "smjpeg", "yuv4mpegpipe", "gif", "apng",
        // Bare streams.
        "h264", "hevc", "vvc", "m4v", "h263", "h261", "vc1", "vc1test", "mjpeg", "mjpeg_2000", "cavsvideo", "dirac",
        "dnxhd", "av1", "evc",
        // Movies of old programs and machines.
        "flic", "roq", "smk", "bink", "ea", "film_cpk", "idcin", "wc3movie", "wsvqa", "4xm", "nsv", "rpl", "mm", "vmd",
        // Single pictures: a movie of one frame.
        "jpeg_pipe", "png_pipe", "webp_pipe", "bmp_pipe", "tiff_pipe", "pam_pipe", "pbm_pipe", "pgm_pipe", "ppm_pipe",
        "qoi_pipe", "jpegxl_pipe", "j2k_pipe", "gif_pipe", "exr_pipe", "dpx_pipe", "sgi_pipe", "pcx_pipe",
        // Sound.
        "wav", "w64", "mp3", "flac", "aac", "ac3", "eac3", "aiff", "au", "caf", "amr", "dts", "ape", "tta", "wv", "voc",
        "truehd", "oma",
    ]

    /// Streams without a container, and so without times: they can only be read from their beginning.
    package static let bare: Set<String> = [
        "h264", "hevc", "vvc", "m4v", "h263", "h261", "vc1", "mjpeg", "mjpeg_2000", "mpegvideo", "cavsvideo", "dirac",
        "dnxhd", "obu", "av1", "evc",
    ]

    /// What an address may give. What playlists name is bound by the protocols of the address, and is opened with the
    /// options of the address (``FFmpegLog/Owner/watchConnections(of:)``); only `dash` opens connections past all that.
    ///
    /// - Parameter checksCertificates: whether a password may only go to who proves to be the server.
    package static func network(checksCertificates: Bool) -> Set<String> {
        let lists: Set = ["hls", "webvtt", "rtsp", "rtp", "sdp"]
        return file.union(checksCertificates ? lists : lists.union(["dash"]))
    }

    /// Whether a demuxer, by its name or list of names, is among the allowed ones for files.
    package static func isOne(of allowed: Set<String>, _ name: String) -> Bool {
        name.split(separator: ",").contains { allowed.contains(String($0)) && file.contains(String($0)) }
    }
}
