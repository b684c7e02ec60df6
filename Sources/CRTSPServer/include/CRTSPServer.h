// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// A server of RTSP for one stream of compressed pictures and sound: GStreamer's (gst-rtsp-server, LGPL), and of it
// what it takes to hand packets to whoever asks for them.
//
//     obscura_rtsp_open ── obscura_rtsp_send … ── obscura_rtsp_close
//
// The server has threads of its own. The functions here may be called from any thread, one at a time. None of them waits
// for a viewer; the last one waits for the server's own thread. Each viewer has a pipeline of its own: one who takes too little loses pictures up to the next
// key frame, and harms nobody else.
#ifndef OBSCURA_RTSP_SERVER_H
#define OBSCURA_RTSP_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Why there is no server.
typedef enum __attribute__((enum_extensibility(closed))) {
    RTSPFailureNone = 0,
    /// A part of GStreamer is not installed; its name is in the words.
    RTSPFailurePartMissing = 1,
    /// The address is not of this machine, or another program has the port, or only root may have it.
    RTSPFailureAddress = 2,
    /// GStreamer gave no more than its words.
    RTSPFailureOther = 3,
} RTSPFailure;

/// How many bytes a caller provides for what went wrong.
enum { RTSPWordsCapacity = 512 };

/// What is served, and to whom. Nothing of it is kept by its pointer.
typedef struct {
    /// A number of this machine's, such as 0.0.0.0.
    const char *address;
    uint16_t port;
    /// Of the stream, with its slash.
    const char *path;
    /// Who may watch; both NULL for everybody.
    const char *_Nullable user;
    const char *_Nullable password;
    /// Whether there are pictures, and whether they are HEVC instead of H.264.
    bool has_pictures;
    bool is_hevc;
    /// 0 without sound.
    int32_t sample_rate;
    int32_t channels;
    /// The AudioSpecificConfig of AAC (ISO/IEC 14496-3, 1.6.2.1).
    const uint8_t *_Nullable sound_configuration;
    size_t sound_configuration_size;
    /// More connections than these are closed at once; and no more than twice as many have a session.
    int32_t most_clients;
    /// How long a viewer may take nothing, and how long one may be connected without asking for the stream; a second at
    /// least.
    int32_t patience_ms;
    /// For how much a viewer may be behind before pictures are left out for it.
    int32_t queue_limit_ms;
} RTSPSettings;

/// A compressed picture, or a piece of sound.
typedef struct {
    /// H.264 or HEVC as a byte stream (Annex B), a key frame with its parameter sets; or AAC without a header.
    const uint8_t *bytes;
    size_t size;
    bool is_picture;
    bool is_key;
    /// In nanoseconds, from one beginning for both.
    int64_t time;
    int64_t duration;
} RTSPPacket;

typedef struct RTSPServer RTSPServer;

/// Listens. NULL when it cannot; then `failure` and `words` (RTSPWordsCapacity bytes) say why.
RTSPServer *_Nullable obscura_rtsp_open(const RTSPSettings *settings, RTSPFailure *failure, char *words);

/// Hands a packet to every viewer. False when there is no memory.
bool obscura_rtsp_send(RTSPServer *server, const RTSPPacket *packet);

/// How many have asked for the stream, and get it or are about to.
int32_t obscura_rtsp_viewers(RTSPServer *server);

/// Whether somebody has begun to wait for a key frame since the last call.
bool obscura_rtsp_take_key_frame_wish(RTSPServer *server);

/// Ends all connections, and frees the server.
void obscura_rtsp_close(RTSPServer *server);

#pragma clang assume_nonnull end

#endif
