// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// What is done with several calls of FFmpeg, or differently in its releases.

#include <string.h>

#include "CFFmpeg.h"
#include "library.h"

static const size_t matrixSize = 9 * sizeof(int32_t);

const int32_t *obscura_stream_display_matrix(const AVStream *stream) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 31, 100)
    const AVPacketSideData *data = obscura_loaded.av_packet_side_data_get(
        stream->codecpar->coded_side_data, stream->codecpar->nb_coded_side_data, AV_PKT_DATA_DISPLAYMATRIX);
    return data && data->size >= matrixSize ? (const int32_t *)data->data : NULL;
#else
    size_t size = 0;
    const uint8_t *data = obscura_loaded.av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
    return data && size >= matrixSize ? (const int32_t *)data : NULL;
#endif
}

int obscura_set_stream_display_matrix(AVStream *stream, const int32_t *matrix) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 31, 100)
    AVPacketSideData *data = obscura_loaded.av_packet_side_data_new(
        &stream->codecpar->coded_side_data, &stream->codecpar->nb_coded_side_data, AV_PKT_DATA_DISPLAYMATRIX,
        matrixSize, 0);
    uint8_t *bytes = data ? data->data : NULL;
#else
    uint8_t *bytes = obscura_loaded.av_stream_new_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, matrixSize);
#endif
    if (!bytes) return AVERROR(ENOMEM);
    memcpy(bytes, matrix, matrixSize);
    return 0;
}

int obscura_add_chapter(AVFormatContext *context, int64_t start, int64_t end, const char *title) {
    AVChapter *chapter = obscura_loaded.av_mallocz(sizeof *chapter);
    AVChapter **chapters = chapter
        ? obscura_loaded.av_realloc_array(context->chapters, context->nb_chapters + 1, sizeof *context->chapters) : NULL;
    if (!chapters) {
        obscura_loaded.av_free(chapter);
        return AVERROR(ENOMEM);
    }
    context->chapters = chapters;
    chapter->id = context->nb_chapters + 1;
    chapter->time_base = (AVRational){1, 1000000000};
    chapter->start = start;
    chapter->end = end;
    chapters[context->nb_chapters++] = chapter;
    return obscura_loaded.av_dict_set(&chapter->metadata, "title", title, 0);
}

const int32_t *obscura_frame_display_matrix(const AVFrame *frame) {
    const AVFrameSideData *data = obscura_loaded.av_frame_get_side_data(frame, AV_FRAME_DATA_DISPLAYMATRIX);
    return data && data->size >= matrixSize ? (const int32_t *)data->data : NULL;
}
