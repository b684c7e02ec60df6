// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg

/// Streams and packets of a container, for muxers of files and live streams.
extension UnsafeMutablePointer<AVFormatContext> {
    /// Adds a stream; returns nil if there is no memory.
    func add(_ stream: OutputStream) -> UnsafeMutablePointer<AVStream>? {
        guard let made = libav.avformat_new_stream(self, nil),
            libav.avcodec_parameters_copy(made.pointee.codecpar, stream.parameters.pointer) >= 0
        else { return nil }
        made.pointee.time_base = AVRational(num: 1, den: stream.timescale)
        // FFmpeg finds the tags itself, except that of locations in QuickTime.
        if !stream.parameters.isLocation { made.pointee.codecpar.pointee.codec_tag = 0 }
        if let language = stream.language { libav.setEntry("language", language, in: &made.pointee.metadata) }
        if let title = stream.title {
            libav.setEntry("title", title, in: &made.pointee.metadata)
            // The name of the track in MP4 and QuickTime.
            libav.setEntry("handler_name", title, in: &made.pointee.metadata)
        }
        if stream.isDefault == true { made.pointee.disposition |= AV_DISPOSITION_DEFAULT }
        if let rate = stream.frameRate {
            made.pointee.avg_frame_rate = AVRational(num: rate.frames, den: rate.seconds)
        }
        if let transform = stream.transform, transform != DisplayTransform() {
            guard obscura_set_stream_display_matrix(made, transform.matrix) >= 0 else { return nil }
        }
        return made
    }

    /// Writes a packet with times in units of `timescale`, and empties it.
    ///
    /// - Returns: 0, or FFmpeg's code.
    func write(_ packet: Packet, stream index: Int, timescale: Int32, isInterleaving: Bool = false) -> Int32 {
        defer { packet.unreference() }
        guard let stream = pointee.streams[index] else { return 0 }
        packet.pointer.pointee.stream_index = Int32(index)
        libav.av_packet_rescale_ts(packet.pointer, AVRational(num: 1, den: timescale), stream.pointee.time_base)
        return isInterleaving
            ? libav.av_interleaved_write_frame(self, packet.pointer) : libav.av_write_frame(self, packet.pointer)
    }
}
