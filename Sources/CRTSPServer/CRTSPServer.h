// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// The functions of the shared library ObscuraRTSPServer: an RTSP server for one stream of encoded video and audio,
// based on GStreamer's (gst-rtsp-server, LGPL).
//
//     open ── send … ── close
//
// The server has its own threads. The functions here may be called from any thread, but not concurrently. None of them
// waits for a viewer; `close` waits for the server's own thread. Each viewer has its own pipeline: for a
// slow viewer frames are dropped until the next key frame, without any effect on the other viewers.
#ifndef OBSCURA_RTSP_SERVER_H
#define OBSCURA_RTSP_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// The cause of a failure to start.
typedef enum __attribute__((enum_extensibility(closed))) {
    RTSPFailureNone = 0,
    /// A plugin of GStreamer is not installed; `words` has the name of its element.
    RTSPFailurePartMissing = 1,
    /// The address is not available on this host, another program uses the port, or only root may use it.
    RTSPFailureAddress = 2,
    /// Another cause; `words` has the message of GStreamer.
    RTSPFailureOther = 3,
} RTSPFailure;

/// The size of the message buffer that callers provide, in bytes.
enum { RTSPWordsCapacity = 512 };

/// The settings of a server. All pointers are used only during the call.
typedef struct {
    /// A numeric address of this host, such as 0.0.0.0.
    const char *address;
    uint16_t port;
    /// The path of the stream, with its leading slash.
    const char *path;
    /// The credentials that viewers need; both NULL for unrestricted access.
    const char *_Nullable user;
    const char *_Nullable password;
    /// Whether there is video, and whether it is HEVC instead of H.264.
    bool has_pictures;
    bool is_hevc;
    /// The sample rate in Hz; 0 without audio.
    int32_t sample_rate;
    int32_t channels;
    /// The AudioSpecificConfig of AAC (ISO/IEC 14496-3, 1.6.2.1).
    const uint8_t *_Nullable sound_configuration;
    size_t sound_configuration_size;
    /// The maximum number of connections; more are closed immediately. The maximum number of sessions is twice as high.
    int32_t most_clients;
    /// The timeout for a viewer that accepts no data, and for a connection that does not request the stream, in
    /// milliseconds; at least one second.
    int32_t patience_ms;
    /// The length of a viewer's queue, in milliseconds; when it is full, frames are dropped for this viewer.
    int32_t queue_limit_ms;
} RTSPSettings;

/// An encoded frame of video, or a packet of audio.
typedef struct {
    /// H.264 or HEVC as a byte stream (Annex B), with parameter sets in each key frame; or AAC without a header.
    const uint8_t *bytes;
    size_t size;
    bool is_picture;
    bool is_key;
    /// In nanoseconds; video and audio have the same time base.
    int64_t time;
    int64_t duration;
} RTSPPacket;

typedef struct RTSPServer RTSPServer;

/// Must change with RTSPFunctions, and with each type that it uses: a library of another version is not used.
enum { RTSPInterface = 1 };

/// The functions of the library, which is loaded on first use.
typedef struct {
    /// RTSPInterface of the library.
    int32_t interface;

    /// Starts a server. If it fails, returns NULL, and writes the cause to `failure` and `words` (RTSPWordsCapacity
    /// bytes).
    RTSPServer *_Nullable (*_Nonnull open)(const RTSPSettings *settings, RTSPFailure *failure, char *words);
    /// Sends a packet to every viewer. Returns false if there is not enough memory.
    bool (*send)(RTSPServer *server, const RTSPPacket *packet);
    /// Returns the number of viewers: clients that have requested the stream, and receive it or will receive it.
    int32_t (*viewers)(RTSPServer *server);
    /// Returns whether a new viewer has started to wait for a key frame since the last call. One for which frames were
    /// dropped waits for the next key frame of the stream.
    bool (*take_key_frame_wish)(RTSPServer *server);
    /// Closes all connections, and frees the server.
    void (*close)(RTSPServer *server);
} RTSPFunctions;

#pragma clang assume_nonnull end

#endif
