// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// libasound (Debian: libasound2-dev). The functions here exist only because Swift cannot implement its error handler,
// which takes a va_list.
// https://www.alsa-project.org/alsa-doc/alsa-lib/pcm.html
#ifndef OBSCURA_ALSA_H
#define OBSCURA_ALSA_H

#if !__has_include(<alsa/asoundlib.h>)
#error "libasound's headers are missing. On Debian and Ubuntu: sudo apt-get install libasound2-dev"
#endif

#include <alsa/asoundlib.h>
#include <stdarg.h>

static inline void obscuraKeepQuiet(
    const char *file, int line, const char *function, int error, const char *format, va_list arguments) {
    (void)file, (void)line, (void)function, (void)error, (void)format, (void)arguments;
}

// Stops libasound from printing its errors to stderr, in addition to returning them, on the calling thread. Returns the
// previous handler, for obscuraSpeak.
static inline snd_local_error_handler_t _Nullable obscuraBeQuiet(void) {
    return snd_lib_error_set_local(obscuraKeepQuiet);
}

// Reverts obscuraBeQuiet; call it on the same thread.
static inline void obscuraSpeak(snd_local_error_handler_t _Nullable before) {
    snd_lib_error_set_local(before);
}

#endif
