// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// FFmpeg 5.1 to 7.x for Swift: FFmpeg's own headers, with additions only for what Swift cannot import or
/// express: macros that are more than a number, variadic callbacks, and names that differ between releases.

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

/// Sets the display matrix of a stream for a muxer. Returns 0, or a negative code.
static inline int obscura_set_stream_display_matrix(AVStream *stream, const int32_t *_Nonnull matrix) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 31, 100)
    AVPacketSideData *data = av_packet_side_data_new(
        &stream->codecpar->coded_side_data, &stream->codecpar->nb_coded_side_data, AV_PKT_DATA_DISPLAYMATRIX,
        9 * sizeof(int32_t), 0);
    uint8_t *bytes = data ? data->data : NULL;
#else
    uint8_t *bytes = av_stream_new_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, 9 * sizeof(int32_t));
#endif
    if (!bytes) return AVERROR(ENOMEM);
    memcpy(bytes, matrix, 9 * sizeof(int32_t));
    return 0;
}

/// Adds a chapter, with times in nanoseconds, for a muxer. Returns 0, or a negative code.
static inline int obscura_add_chapter(AVFormatContext *context, int64_t start, int64_t end, const char *title) {
    AVChapter *chapter = av_mallocz(sizeof *chapter);
    AVChapter **chapters = chapter
        ? av_realloc_array(context->chapters, context->nb_chapters + 1, sizeof *context->chapters) : NULL;
    if (!chapters) {
        av_free(chapter);
        return AVERROR(ENOMEM);
    }
    context->chapters = chapters;
    chapter->id = context->nb_chapters + 1;
    chapter->time_base = (AVRational){1, 1000000000};
    chapter->start = start;
    chapter->end = end;
    chapters[context->nb_chapters++] = chapter;
    return av_dict_set(&chapter->metadata, "title", title, 0);
}

/// The nine numbers of the display matrix of a single frame; NULL if there is none.
static inline const int32_t *_Nullable obscura_frame_display_matrix(const AVFrame *frame) {
    const AVFrameSideData *data = av_frame_get_side_data(frame, AV_FRAME_DATA_DISPLAYMATRIX);
    return data && data->size >= 9 * sizeof(int32_t) ? (const int32_t *)data->data : NULL;
}

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

/// The storage of the sink: set once, before the callback is installed, and only read afterwards. (A static
/// variable inside a function, because Swift emits no code for variables of a header.)
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

/// Sends FFmpeg's log to `sink` instead of stderr, for the whole process. Call it from one source file only:
/// each file has its own copy of the variable.
static inline void obscura_log_install(obscura_log_sink sink) {
    *obscura_log_slot() = sink;
    av_log_set_callback(obscura_log_callback);
}

#pragma clang assume_nonnull end

#endif
