// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// FFmpeg 5.1 to 7.x for Swift: FFmpeg's own headers, its functions, which are loaded on first use, and additions only
/// for what Swift cannot import or express: macros that are more than a number, variadic callbacks, and names that
/// differ between releases.

#ifndef OBSCURA_FFMPEG_H
#define OBSCURA_FFMPEG_H

#if !__has_include(<libavformat/avformat.h>)
#error "FFmpeg's headers are missing: apt-get install libavformat-dev libavcodec-dev libswscale-dev libswresample-dev libavutil-dev"
#endif

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <libavcodec/avcodec.h>
#include <libavcodec/bsf.h>
#include <libavformat/avformat.h>
#include <libavutil/audio_fifo.h>
#include <libavutil/channel_layout.h>
#include <libavutil/display.h>
#include <libavutil/error.h>
#include <libavutil/frame.h>
#include <libavutil/imgutils.h>
#include <libavutil/log.h>
#include <libavutil/md5.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libavutil/hwcontext.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>

#pragma clang assume_nonnull begin

// MARK: The functions that are loaded, by library.

#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 31, 100)
#define OBSCURA_CODEC_SIDE_DATA(X) X(av_packet_side_data_get) X(av_packet_side_data_new)
#define OBSCURA_STREAM_SIDE_DATA(X)
#else
#define OBSCURA_CODEC_SIDE_DATA(X)
#define OBSCURA_STREAM_SIDE_DATA(X) X(av_stream_get_side_data) X(av_stream_new_side_data)
#endif

#define OBSCURA_AVUTIL_FUNCTIONS(X)                                                                           \
    X(av_audio_fifo_alloc) X(av_audio_fifo_free) X(av_audio_fifo_read) X(av_audio_fifo_reset)                 \
    X(av_audio_fifo_size) X(av_audio_fifo_write) X(av_buffer_create) X(av_buffer_ref) X(av_buffer_unref)      \
    X(av_channel_layout_default) X(av_dict_free) X(av_dict_get) X(av_dict_set) X(av_frame_alloc)              \
    X(av_frame_copy_props) X(av_frame_free) X(av_frame_get_buffer) X(av_frame_get_side_data)                  \
    X(av_frame_is_writable) X(av_frame_unref) X(av_free) X(av_get_packed_sample_fmt) X(av_get_pix_fmt_name)   \
    X(av_get_sample_fmt_name) X(av_hwdevice_ctx_create) X(av_hwframe_ctx_alloc) X(av_hwframe_ctx_init)        \
    X(av_hwframe_get_buffer) X(av_hwframe_transfer_data) X(av_log_format_line2) X(av_log_set_callback)        \
    X(av_malloc) X(av_mallocz) X(av_md5_sum) X(av_opt_set_double) X(av_opt_set_int) X(av_opt_set_sample_fmt)  \
    X(av_pix_fmt_desc_get) X(av_realloc_array) X(av_sample_fmt_is_planar) X(av_strerror)

#define OBSCURA_AVCODEC_FUNCTIONS(X)                                                                          \
    X(av_bsf_alloc) X(av_bsf_flush) X(av_bsf_free) X(av_bsf_get_by_name) X(av_bsf_init)                       \
    X(av_bsf_receive_packet) X(av_bsf_send_packet) X(av_new_packet) X(av_packet_alloc) X(av_packet_free)      \
    X(av_packet_get_side_data) X(av_packet_move_ref) X(av_packet_ref) X(av_packet_rescale_ts)                 \
    X(av_packet_unref) X(avcodec_alloc_context3) X(avcodec_find_decoder) X(avcodec_find_encoder_by_name)      \
    X(avcodec_flush_buffers) X(avcodec_free_context) X(avcodec_get_class) X(avcodec_get_name)                 \
    X(avcodec_open2) X(avcodec_parameters_alloc) X(avcodec_parameters_copy) X(avcodec_parameters_free)        \
    X(avcodec_parameters_from_context) X(avcodec_parameters_to_context) X(avcodec_profile_name)               \
    X(avcodec_receive_frame) X(avcodec_receive_packet) X(avcodec_send_frame) X(avcodec_send_packet)           \
    OBSCURA_CODEC_SIDE_DATA(X)

#define OBSCURA_AVFORMAT_FUNCTIONS(X)                                                                         \
    X(av_find_best_stream) X(av_guess_frame_rate) X(av_interleaved_write_frame) X(av_probe_input_buffer2)     \
    X(av_read_frame) X(av_write_frame) X(av_write_trailer) X(avformat_alloc_context)                          \
    X(avformat_alloc_output_context2) X(avformat_close_input) X(avformat_configuration)                       \
    X(avformat_find_stream_info) X(avformat_free_context) X(avformat_get_class)                               \
    X(avformat_index_get_entries_count) X(avformat_index_get_entry) X(avformat_new_stream)                    \
    X(avformat_open_input) X(avformat_seek_file) X(avformat_write_header) X(avio_alloc_context)               \
    X(avio_close) X(avio_closep) X(avio_context_free) X(avio_flush) X(avio_open2)                             \
    OBSCURA_STREAM_SIDE_DATA(X)

#define OBSCURA_SWRESAMPLE_FUNCTIONS(X)                                                                       \
    X(swr_alloc_set_opts2) X(swr_convert) X(swr_drop_output) X(swr_free) X(swr_get_delay)                     \
    X(swr_get_out_samples) X(swr_init) X(swr_set_compensation) X(swr_set_matrix)

#define OBSCURA_SWSCALE_FUNCTIONS(X)                                                                          \
    X(sws_freeContext) X(sws_getCoefficients) X(sws_getContext) X(sws_scale) X(sws_setColorspaceDetails)

#define OBSCURA_FFMPEG_FUNCTIONS(X)                                                                           \
    OBSCURA_AVUTIL_FUNCTIONS(X) OBSCURA_AVCODEC_FUNCTIONS(X) OBSCURA_AVFORMAT_FUNCTIONS(X)                    \
    OBSCURA_SWRESAMPLE_FUNCTIONS(X) OBSCURA_SWSCALE_FUNCTIONS(X)

/// FFmpeg's functions, by their own names.
typedef struct {
#define X(name) __typeof__(&name) name;
    OBSCURA_FFMPEG_FUNCTIONS(X)
#undef X
} obscura_ffmpeg_functions;

/// FFmpeg's functions. The first call loads the libraries, and `failure` becomes why that was not possible, else NULL.
/// If it was not, each function ends the process with a message. The table is constant.
const obscura_ffmpeg_functions *obscura_ffmpeg(const char *_Nullable *_Nonnull failure);

// MARK: Macros with casts, which Swift does not import.

/// The end of a file, or of the output of a flushed decoder.
static const int32_t OBSCURA_ERROR_EOF = AVERROR_EOF;
/// The other function of a pair must be called first: send before receive, or receive before send.
static const int32_t OBSCURA_ERROR_AGAIN = AVERROR(EAGAIN);
/// The interrupt callback requested to stop.
static const int32_t OBSCURA_ERROR_EXIT = AVERROR_EXIT;
static const int32_t OBSCURA_ERROR_INVALID_DATA = AVERROR_INVALIDDATA;
static const int32_t OBSCURA_ERROR_STREAM_NOT_FOUND = AVERROR_STREAM_NOT_FOUND;
static const int32_t OBSCURA_ERROR_DECODER_NOT_FOUND = AVERROR_DECODER_NOT_FOUND;
static const int32_t OBSCURA_ERROR_PROTOCOL_NOT_FOUND = AVERROR_PROTOCOL_NOT_FOUND;
static const int32_t OBSCURA_ERROR_HTTP_UNAUTHORIZED = AVERROR_HTTP_UNAUTHORIZED;
static const int32_t OBSCURA_ERROR_HTTP_FORBIDDEN = AVERROR_HTTP_FORBIDDEN;
static const int32_t OBSCURA_ERROR_HTTP_NOT_FOUND = AVERROR_HTTP_NOT_FOUND;

/// An unknown time stamp.
static const int64_t OBSCURA_NO_TIMESTAMP = AV_NOPTS_VALUE;

// MARK: Names that differ between releases.

/// The display duration of a frame, in the time base of its stream; 0 if unknown.
static inline int64_t obscura_frame_duration(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
    return frame->duration;
#else
    return frame->pkt_duration;
#endif
}

static inline void obscura_set_frame_duration(AVFrame *frame, int64_t duration) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
    frame->duration = duration;
#else
    frame->pkt_duration = duration;
#endif
}

/// The array of the addresses of a frame's planes, inside the frame. (Swift would copy a C array.)
static inline uint8_t *_Nullable *_Nonnull obscura_frame_planes(AVFrame *frame) { return frame->data; }

/// The nine numbers of the display matrix of a stream, from the container; NULL if there is none.
const int32_t *_Nullable obscura_stream_display_matrix(const AVStream *stream);

/// Sets the display matrix of a stream for a muxer. Returns 0, or a negative code.
int obscura_set_stream_display_matrix(AVStream *stream, const int32_t *matrix);

/// Adds a chapter, with times in nanoseconds, for a muxer. Returns 0, or a negative code.
int obscura_add_chapter(AVFormatContext *context, int64_t start, int64_t end, const char *title);

/// The nine numbers of the display matrix of a single frame; NULL if there is none.
const int32_t *_Nullable obscura_frame_display_matrix(const AVFrame *frame);

/// Attaches a number to the next packet; obscura_frame_tag returns it for the frame decoded from the packet.
static inline void obscura_tag_packet(AVCodecContext *decoder, AVPacket *packet, int64_t tag) {
#ifdef AV_CODEC_FLAG_COPY_OPAQUE
    decoder->flags |= AV_CODEC_FLAG_COPY_OPAQUE;
    packet->opaque = (void *)(intptr_t)tag;
#else
    decoder->reordered_opaque = tag;
#endif
}

/// The number that was attached to the packet from which the frame was decoded.
static inline int64_t obscura_frame_tag(const AVFrame *frame) {
#ifdef AV_CODEC_FLAG_COPY_OPAQUE
    return (int64_t)(intptr_t)frame->opaque;
#else
    return frame->reordered_opaque;
#endif
}

// MARK: The log, whose callback takes a va_list.

/// Receives one line of the log without its line end: a message of a level up to AV_LOG_ERROR, or the message
/// that a decoder has concealed missing parts of a frame. `owner` is the `opaque` field of the AVFormatContext
/// or AVCodecContext that wrote it, else NULL; the threads of a decoder have the value from when they received
/// their packet. Called on any thread; must not block.
typedef void (*obscura_log_sink)(void *_Nullable owner, const char *line, bool is_concealment);

/// Sends FFmpeg's log to `sink` from now on, for the whole process. Before, nobody receives it.
void obscura_log_install(obscura_log_sink sink);

#pragma clang assume_nonnull end

#endif
