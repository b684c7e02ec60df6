// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// The functions of FFmpeg that the program loads on first use, for dpkg-shlibdeps, which sees only those that are linked.

#include "../Sources/CFFmpeg/include/CFFmpeg.h"

#define X(name) (const void *)name,
const void *const functions[] = {OBSCURA_FFMPEG_FUNCTIONS(X)};
