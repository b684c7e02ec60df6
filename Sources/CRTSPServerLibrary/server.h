// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// The declarations that the parts of the server share.
#ifndef OBSCURA_RTSP_SERVER_PARTS_H
#define OBSCURA_RTSP_SERVER_PARTS_H

#if !__has_include(<gst/rtsp-server/rtsp-server.h>)
#error "gst-rtsp-server's headers are missing. On Debian and Ubuntu: sudo apt-get install libgstrtspserver-1.0-dev"
#endif

#include <pthread.h>

#include <gst/app/gstappsrc.h>
#include <gst/rtsp-server/rtsp-server.h>

#include "CRTSPServer.h"

// Reference counted: by the caller and by every pipeline, which may outlive obscura_rtsp_close.
struct RTSPServer {
    GstRTSPServer *server;
    GMainContext *context;
    GMainLoop *loop;
    GThread *thread;
    GSource *listening;
    // A spare descriptor: it is closed when no other is left, so that a new connection can be accepted and rejected.
    int spare;
    GstRTSPMediaFactory *factory;
    gint most_clients;
    gint patience_ms;
    GstClockTime queue_limit;
    gboolean has_pictures;

    // The pipeline for the next viewer; see obscura_rtsp_offer. Used only by the thread that sends.
    gchar *launch_with_sound;
    gchar *launch_without_sound;
    gboolean offers_sound;
    gint64 last_sound;

    // Guards the members below. A pthread mutex, because ThreadSanitizer does not support the locks of GLib.
    pthread_mutex_t lock;
    GPtrArray *viewers;
    // The guards of the current connections. client_left is signaled when one is removed.
    GPtrArray *guards;
    // The number of wrong passwords per address.
    GHashTable *guesses;
    pthread_cond_t client_left;
    gboolean wants_key_frame;
};

// The functions of the table in CRTSPServer.h, which describes them.
RTSPServer *obscura_rtsp_open(const RTSPSettings *settings, RTSPFailure *failure, char *words);
bool obscura_rtsp_send(RTSPServer *server, const RTSPPacket *packet);
int32_t obscura_rtsp_viewers(RTSPServer *server);
bool obscura_rtsp_take_key_frame_wish(RTSPServer *server);
void obscura_rtsp_close(RTSPServer *server);

RTSPServer *obscura_rtsp_retain(RTSPServer *server);
void obscura_rtsp_release(gpointer server);

// The description of a viewer's pipeline, for gst_parse_launch.
gchar *obscura_rtsp_pipeline(const RTSPSettings *settings, gboolean has_sound);
// Whether all elements of the pipeline are installed; if not, writes the name of the first missing one.
gboolean obscura_rtsp_has_parts(const RTSPSettings *settings, gchar *words);

// Adds a viewer for each client that requests the stream from the factory.
void obscura_rtsp_watch_factory(RTSPServer *server, GstRTSPMediaFactory *factory);
// Accepts connections, and rejects those above the limit before anything is allocated for them. Call once. If it fails,
// writes the cause.
gboolean obscura_rtsp_listen(RTSPServer *server, RTSPFailure *failure, gchar *words);
// Stops accepting connections.
void obscura_rtsp_stop_listening(RTSPServer *server);
// Whether the limit allows one more connection.
gboolean obscura_rtsp_has_room(RTSPServer *server);
// The peer of a connection, as a key for counting wrong passwords. The caller frees it.
gchar *obscura_rtsp_peer(GSocket *socket);
GHashTable *obscura_rtsp_guesses_new(void);
// Counts a wrong password; the caller holds the lock. Returns whether the address is blocked from now on.
gboolean obscura_rtsp_note_guess(RTSPServer *server, const gchar *peer);
// The remaining time for which an address is blocked; 0 if it is not blocked.
gint obscura_rtsp_seconds_kept_out(RTSPServer *server, const gchar *peer);
// Closes connections that are idle, send too much or guess passwords.
void obscura_rtsp_guard_clients(RTSPServer *server);
// Closes all connections, and waits until their clients are released, for a short time at most.
void obscura_rtsp_send_all_away(RTSPServer *server);

#endif
