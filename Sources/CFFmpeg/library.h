// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// What the files of this target share.
#ifndef OBSCURA_FFMPEG_LIBRARY_H
#define OBSCURA_FFMPEG_LIBRARY_H

#include "CFFmpeg.h"

/// The functions: constant once obscura_ffmpeg has returned, without which there is no object of FFmpeg.
extern obscura_ffmpeg_functions obscura_loaded;

/// Sends FFmpeg's log to the sink.
void obscura_watch_log(void);

#endif
