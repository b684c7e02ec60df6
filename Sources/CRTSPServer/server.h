// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// What the parts of the server share.
#ifndef OBSCURA_RTSP_SERVER_PARTS_H
#define OBSCURA_RTSP_SERVER_PARTS_H

#ifdef OBSCURA_RTSP_SERVER

#if !__has_include(<gst/rtsp-server/rtsp-server.h>)
#error "gst-rtsp-server's headers are missing. On Debian and Ubuntu: sudo apt-get install libgstrtspserver-1.0-dev"
#endif

#include <pthread.h>

#include <gst/app/gstappsrc.h>
#include <gst/rtsp-server/rtsp-server.h>

#include "CRTSPServer.h"

// Counted by its users: the caller, and every pipeline, which may outlive the call that ends the server.
struct RTSPServer {
    GstRTSPServer *server;
    GMainContext *context;
    GMainLoop *loop;
    GThread *thread;
    GSource *listening;
    // A descriptor to give up when there is no other, so that one who connects can be refused.
    int spare;
    GstRTSPMediaFactory *factory;
    gint most_clients;
    gint patience_ms;
    GstClockTime queue_limit;
    gboolean has_pictures;

    // What whoever comes next is offered: see obscura_rtsp_offer. Of the thread that sends.
    gchar *launch_with_sound;
    gchar *launch_without_sound;
    gboolean offers_sound;
    gint64 last_sound;

    // Guards what follows. The sanitizer of threads knows this kind of lock, and not that of GLib.
    pthread_mutex_t lock;
    GPtrArray *viewers;
    // What guards the connections that there are; told when one is gone.
    GPtrArray *guards;
    // The wrong passwords of each address.
    GHashTable *guesses;
    pthread_cond_t client_left;
    gboolean wants_key_frame;
};

RTSPServer *obscura_rtsp_retain(RTSPServer *server);
void obscura_rtsp_release(gpointer server);

// The description of a viewer's pipeline, for gst_parse_launch.
gchar *obscura_rtsp_pipeline(const RTSPSettings *settings, gboolean has_sound);
// Whether all is installed that it names; else its first lack is written.
gboolean obscura_rtsp_has_parts(const RTSPSettings *settings, gchar *words);

// Makes viewers of those who ask the factory for the stream.
void obscura_rtsp_watch_factory(RTSPServer *server, GstRTSPMediaFactory *factory);
// Takes connections in, and refuses those for which there is no room, before anything is made for them. Call once; else
// words are written.
gboolean obscura_rtsp_listen(RTSPServer *server, RTSPFailure *failure, gchar *words);
// Ends that.
void obscura_rtsp_stop_listening(RTSPServer *server);
// Whether one more connection may be made.
gboolean obscura_rtsp_has_room(RTSPServer *server);
// Who is at the other end, as far as guessing goes; to be freed.
gchar *obscura_rtsp_peer(GSocket *socket);
GHashTable *obscura_rtsp_guesses_new(void);
// Notes a wrong password; call it with the lock. Returns whether the address is kept out from now on.
gboolean obscura_rtsp_note_guess(RTSPServer *server, const gchar *peer);
// For how long an address is kept out; 0 if it is not.
gint obscura_rtsp_seconds_kept_out(RTSPServer *server, const gchar *peer);
// Closes connections that do nothing, send without end or guess.
void obscura_rtsp_guard_clients(RTSPServer *server);
// Ends all connections, and waits until their clients are let go of; not for long.
void obscura_rtsp_send_all_away(RTSPServer *server);

#endif
#endif
