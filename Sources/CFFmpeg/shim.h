// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// FFmpeg 5.1 to 7.x for Swift. Only what Swift cannot say is added to FFmpeg's own headers: macros that
/// are more than a number, variadic callbacks, and names that differ between the releases.

#ifndef OBSCURA_FFMPEG_SHIM_H
#define OBSCURA_FFMPEG_SHIM_H

#if !__has_include(<libavformat/avformat.h>)
#error "FFmpeg's headers are missing: apt-get install libavformat-dev libavcodec-dev libswscale-dev libswresample-dev libavutil-dev"
#endif

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/audio_fifo.h>
#include <libavutil/channel_layout.h>
#include <libavutil/display.h>
#include <libavutil/error.h>
#include <libavutil/frame.h>
#include <libavutil/imgutils.h>
#include <libavutil/log.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libavutil/hwcontext.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>

#pragma clang assume_nonnull begin

// MARK: Macros with casts, which Swift does not import.

/// The end of a file, or of what a flushed decoder had to give.
static const int32_t OBSCURA_ERROR_EOF = AVERROR_EOF;
/// Wants the other side of the send and receive pair first.
static const int32_t OBSCURA_ERROR_AGAIN = AVERROR(EAGAIN);
/// The interrupt callback asked to stop.
static const int32_t OBSCURA_ERROR_EXIT = AVERROR_EXIT;
static const int32_t OBSCURA_ERROR_INVALID_DATA = AVERROR_INVALIDDATA;
static const int32_t OBSCURA_ERROR_STREAM_NOT_FOUND = AVERROR_STREAM_NOT_FOUND;
static const int32_t OBSCURA_ERROR_DECODER_NOT_FOUND = AVERROR_DECODER_NOT_FOUND;
static const int32_t OBSCURA_ERROR_PROTOCOL_NOT_FOUND = AVERROR_PROTOCOL_NOT_FOUND;
static const int32_t OBSCURA_ERROR_HTTP_UNAUTHORIZED = AVERROR_HTTP_UNAUTHORIZED;
static const int32_t OBSCURA_ERROR_HTTP_FORBIDDEN = AVERROR_HTTP_FORBIDDEN;
static const int32_t OBSCURA_ERROR_HTTP_NOT_FOUND = AVERROR_HTTP_NOT_FOUND;

/// A timestamp that is not known.
static const int64_t OBSCURA_NO_TIMESTAMP = AV_NOPTS_VALUE;

// MARK: Names that differ between releases.

/// How long a frame is to be shown, in the time base of its stream; 0 where unknown.
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

/// Where the addresses of a frame's planes lie: in the frame itself. (Swift copies an array of C.)
static inline uint8_t *_Nullable *_Nonnull obscura_frame_planes(AVFrame *frame) { return frame->data; }

/// The nine numbers of the display matrix that the container gives for a stream; NULL where it gives none.
static inline const int32_t *_Nullable obscura_stream_display_matrix(const AVStream *stream) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 31, 100)
    const AVPacketSideData *data = av_packet_side_data_get(
        stream->codecpar->coded_side_data, stream->codecpar->nb_coded_side_data, AV_PKT_DATA_DISPLAYMATRIX);
    return data && data->size >= 9 * sizeof(int32_t) ? (const int32_t *)data->data : NULL;
#else
    size_t size = 0;
    const uint8_t *data = av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
    return data && size >= 9 * sizeof(int32_t) ? (const int32_t *)data : NULL;
#endif
}

/// The nine numbers of the display matrix that a frame itself carries; NULL where it carries none.
static inline const int32_t *_Nullable obscura_frame_display_matrix(const AVFrame *frame) {
    const AVFrameSideData *data = av_frame_get_side_data(frame, AV_FRAME_DATA_DISPLAYMATRIX);
    return data && data->size >= 9 * sizeof(int32_t) ? (const int32_t *)data->data : NULL;
}

/// Gives the next packet a number that the frame decoded from it will carry.
static inline void obscura_tag_packet(AVCodecContext *decoder, AVPacket *packet, int64_t tag) {
#ifdef AV_CODEC_FLAG_COPY_OPAQUE
    decoder->flags |= AV_CODEC_FLAG_COPY_OPAQUE;
    packet->opaque = (void *)(intptr_t)tag;
#else
    decoder->reordered_opaque = tag;
#endif
}

/// The number of the packet from which the frame was decoded.
static inline int64_t obscura_frame_tag(const AVFrame *frame) {
#ifdef AV_CODEC_FLAG_COPY_OPAQUE
    return (int64_t)(intptr_t)frame->opaque;
#else
    return frame->reordered_opaque;
#endif
}

// MARK: The log, whose callback takes a va_list.

/// Takes one line without its line end: of a level up to AV_LOG_ERROR, or the note that a decoder has filled
/// in ("concealed") missing parts of a picture. `owner` is the `opaque` field of the AVFormatContext or
/// AVCodecContext that wrote it (a decoder's own threads have that of the moment when they got their packet),
/// else NULL. Called on any thread; must not block.
typedef void (*obscura_log_sink)(void *_Nullable owner, const char *line, bool is_concealment);

/// Where the sink is kept: set once, before the callback is installed, and only read afterwards. (Swift
/// emits no variable of a header, but it emits one inside a function.)
static inline obscura_log_sink _Nullable *obscura_log_slot(void) {
    static obscura_log_sink _Nullable sink = NULL;
    return &sink;
}

static inline void obscura_log_callback(
    void *_Nullable object, int level, const char *format, va_list arguments) {
    const bool is_concealment = strncmp(format, "concealing ", 11) == 0;
    if ((level > AV_LOG_ERROR && !is_concealment) || !*obscura_log_slot()) return;
    char line[256];
    int print_prefix = 0;
    av_log_format_line2(NULL, level, format, arguments, line, sizeof line, &print_prefix);
    size_t length = strlen(line);
    while (length > 0 && (line[length - 1] == '\n' || line[length - 1] == ' ')) line[--length] = 0;
    if (length == 0) return;
    void *owner = NULL;
    if (object) {
        const AVClass *kind = *(const AVClass *const *)object;
        if (kind == avcodec_get_class()) owner = ((AVCodecContext *)object)->opaque;
        if (kind == avformat_get_class()) owner = ((AVFormatContext *)object)->opaque;
    }
    (*obscura_log_slot())(owner, line, is_concealment);
}

/// Sends FFmpeg's log to `sink` and no longer to the standard error. For the whole process. To be called
/// from one source file only: each has its own copy of the variable.
static inline void obscura_log_install(obscura_log_sink sink) {
    *obscura_log_slot() = sink;
    av_log_set_callback(obscura_log_callback);
}

#pragma clang assume_nonnull end

#endif
