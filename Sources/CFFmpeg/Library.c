// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// Loads FFmpeg's libraries. A program that is linked with them loads more than a hundred libraries at its start, also if
// it only reads a camera.

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#include "CFFmpeg.h"
#include "library.h"

obscura_ffmpeg_functions obscura_loaded;

static char message[256];
static const char *reason;

/// Stands for each function if the libraries cannot be loaded: ends the process, as the loader ends a program that is
/// linked with a missing library. A result of any kind could be taken for a success.
static void end(void) {
    dprintf(STDERR_FILENO, "FFmpeg's libraries cannot be loaded: %s\n", message);
    _exit(127);
}

static void fail(const char *text) {
    snprintf(message, sizeof message, "%s", text);
    reason = message;
#define X(name) obscura_loaded.name = (__typeof__(obscura_loaded.name))(void *)end;
    OBSCURA_FFMPEG_FUNCTIONS(X)
#undef X
}

static void load(void) {
    // The version of the headers with which this was compiled. Never unloaded: its threads may run until the process ends.
#define OPEN(library, VERSION)                                                                                 \
    void *library = dlopen("lib" #library ".so." AV_STRINGIFY(VERSION), RTLD_NOW | RTLD_LOCAL);                \
    if (!library) return fail(dlerror());
    OPEN(avutil, LIBAVUTIL_VERSION_MAJOR)
    OPEN(avcodec, LIBAVCODEC_VERSION_MAJOR)
    OPEN(avformat, LIBAVFORMAT_VERSION_MAJOR)
    OPEN(swresample, LIBSWRESAMPLE_VERSION_MAJOR)
    OPEN(swscale, LIBSWSCALE_VERSION_MAJOR)
#undef OPEN
#define FIND(library, name)                                                                                    \
    obscura_loaded.name = (__typeof__(obscura_loaded.name))dlsym(library, #name);                              \
    if (!obscura_loaded.name) return fail(dlerror());
#define X(name) FIND(avutil, name)
    OBSCURA_AVUTIL_FUNCTIONS(X)
#undef X
#define X(name) FIND(avcodec, name)
    OBSCURA_AVCODEC_FUNCTIONS(X)
#undef X
#define X(name) FIND(avformat, name)
    OBSCURA_AVFORMAT_FUNCTIONS(X)
#undef X
#define X(name) FIND(swresample, name)
    OBSCURA_SWRESAMPLE_FUNCTIONS(X)
#undef X
#define X(name) FIND(swscale, name)
    OBSCURA_SWSCALE_FUNCTIONS(X)
#undef X
#undef FIND
    obscura_watch_log();
}

const obscura_ffmpeg_functions *obscura_ffmpeg(const char **failure) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    *failure = reason;
    return &obscura_loaded;
}
