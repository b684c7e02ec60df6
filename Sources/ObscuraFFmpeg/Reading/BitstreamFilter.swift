// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg

/// A bitstream filter of FFmpeg, which changes the form of packets without decoding them. One thread at a time.
package final class BitstreamFilter {
    private var context: UnsafeMutablePointer<AVBSFContext>

    /// Opens a filter for the packets of a stream. Returns nil if FFmpeg has no such filter, or if it rejects the stream.
    ///
    /// - Parameter name: FFmpeg's name, such as `aac_adtstoasc`.
    package init?(_ name: String, for stream: InputStream) {
        guard let filter = libav.av_bsf_get_by_name(name) else { return nil }
        var made: UnsafeMutablePointer<AVBSFContext>?
        guard libav.av_bsf_alloc(filter, &made) >= 0, let made else { return nil }
        // From here on, a failure runs deinit, which frees the context.
        context = made
        guard libav.avcodec_parameters_copy(made.pointee.par_in, stream.parameters) >= 0 else { return nil }
        made.pointee.time_base_in = stream.timeBase
        guard libav.av_bsf_init(made) >= 0 else { return nil }
    }

    deinit {
        var context: UnsafeMutablePointer<AVBSFContext>? = context
        libav.av_bsf_free(&context)
    }

    /// The data that a decoder of the filtered packets needs before the first one.
    package var extraData: [UInt8] {
        guard let parameters = context.pointee.par_out else { return [] }
        return Array(
            UnsafeBufferPointer(start: parameters.pointee.extradata, count: Int(parameters.pointee.extradata_size)))
    }

    /// Filters a packet; `packet` is unchanged. Returns the filtered bytes, and the data for decoders if it changed with
    /// this packet; nil if the packet is rejected.
    package func filter(_ packet: Packet) -> (bytes: [UInt8], extraData: [UInt8]?)? {
        guard let work = Packet(), libav.av_packet_ref(work.pointer, packet.pointer) >= 0,
            libav.av_bsf_send_packet(context, work.pointer) >= 0,
            libav.av_bsf_receive_packet(context, work.pointer) >= 0
        else {
            libav.av_bsf_flush(context)
            return nil
        }
        var size = 0
        let data = libav.av_packet_get_side_data(work.pointer, AV_PKT_DATA_NEW_EXTRADATA, &size)
        return (work.bytes, data.map { Array(UnsafeBufferPointer(start: $0, count: size)) })
    }
}
