// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// FFmpeg's log, whose callback takes a va_list.

#include <stdarg.h>
#include <stdatomic.h>
#include <string.h>

#include "CFFmpeg.h"
#include "library.h"

static _Atomic(obscura_log_sink) sink;

static void receive(void *object, int level, const char *format, va_list arguments) {
    const bool is_concealment = strncmp(format, "concealing ", 11) == 0;
    const obscura_log_sink receiver = atomic_load(&sink);
    if ((level > AV_LOG_ERROR && !is_concealment) || !receiver) return;
    char line[256];
    int print_prefix = 0;
    obscura_loaded.av_log_format_line2(NULL, level, format, arguments, line, sizeof line, &print_prefix);
    size_t length = strlen(line);
    while (length > 0 && (line[length - 1] == '\n' || line[length - 1] == ' ')) line[--length] = 0;
    if (length == 0) return;
    void *owner = NULL;
    if (object) {
        const AVClass *kind = *(const AVClass *const *)object;
        if (kind == obscura_loaded.avcodec_get_class()) owner = ((AVCodecContext *)object)->opaque;
        if (kind == obscura_loaded.avformat_get_class()) owner = ((AVFormatContext *)object)->opaque;
    }
    receiver(owner, line, is_concealment);
}

void obscura_log_install(obscura_log_sink receiver) { atomic_store(&sink, receiver); }

void obscura_watch_log(void) { obscura_loaded.av_log_set_callback(receive); }
