// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// libsrt (Debian: libsrt-gnutls-dev or libsrt-openssl-dev), with functions only for what Swift cannot express.
// https://github.com/Haivision/srt/blob/v1.5.1/docs/API/API-functions.md
#ifndef OBSCURA_SRT_H
#define OBSCURA_SRT_H

#if !__has_include(<srt.h>) && !__has_include(<srt/srt.h>)
#error "libsrt's headers are missing. On Debian and Ubuntu: sudo apt-get install libsrt-gnutls-dev"
#endif

#include <srt/srt.h>
#include <sys/socket.h>

static inline void obscura_srt_ignore(
    void *opaque, int level, const char *file, int line, const char *area, const char *message) {
    (void)opaque, (void)level, (void)file, (void)line, (void)area, (void)message;
}

// Stops libsrt from printing its errors to stderr, in addition to returning them. (They do not contain passphrases.)
static inline void obscura_srt_be_quiet(void) {
    srt_setloghandler(NULL, obscura_srt_ignore);
}

// Sets the time for which lost packets are sent again after the socket is closed.
static inline int obscura_srt_set_linger(SRTSOCKET socket, int seconds) {
    struct linger value = {.l_onoff = 1, .l_linger = seconds};
    return srt_setsockflag(socket, SRTO_LINGER, &value, sizeof value);
}

#endif
