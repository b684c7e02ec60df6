// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// Connections: how many there may be, for how long one may do nothing, and how often it may guess.
#include "server.h"

#ifdef OBSCURA_RTSP_SERVER

#include <netinet/in.h>
#include <netinet/tcp.h>

// Who waits for the description of the stream waits for a key frame, and by GStreamer for 20 s at the most.
static const gint asked_patience_ms = 20000;
// The first answer 401 of a connection is how it learns that a password is asked for.
static const guint most_refusals = 4;
// A viewer has one; who sets a stream up anew may have another for a moment.
static const guint most_sessions = 2;

// A connection, and since when it has had no session. It is looked at in the server's own thread, and counts in its own.
typedef struct {
    RTSPServer *server;
    GWeakRef client;
    gint64 idle_since;
    gint has_asked;
    gint must_go;
    guint refusals;
    guint sessions;
    gint references;
} Guard;

static void obscura_rtsp_guard_release(gpointer pointer) {
    Guard *guard = pointer;
    if (!g_atomic_int_dec_and_test(&guard->references)) return;
    g_weak_ref_clear(&guard->client);
    obscura_rtsp_release(guard->server);
    g_free(guard);
}

static Guard *obscura_rtsp_guard_retain(Guard *guard) {
    g_atomic_int_inc(&guard->references);
    return guard;
}

static void obscura_rtsp_guard_closure_released(gpointer guard, GClosure *closure) {
    (void)closure;
    obscura_rtsp_guard_release(guard);
}

static GstRTSPFilterResult obscura_rtsp_count(GstRTSPClient *client, GstRTSPSession *session, gpointer count) {
    (void)client, (void)session;
    *(guint *)count += 1;
    return GST_RTSP_FILTER_KEEP;
}

// Whether the connection may stay; with its session as long as that lasts.
static gboolean obscura_rtsp_may_stay(Guard *guard, GstRTSPClient *client) {
    if (g_atomic_int_get(&guard->must_go)) return FALSE;
    guint sessions = 0;
    gst_rtsp_client_session_filter(client, obscura_rtsp_count, &sessions);
    gint64 now = g_get_monotonic_time();
    if (sessions > 0) guard->idle_since = now;
    gint patience = guard->server->patience_ms;
    if (g_atomic_int_get(&guard->has_asked)) patience = MAX(patience, asked_patience_ms);
    return now - guard->idle_since < (gint64)patience * 1000;
}

static gboolean obscura_rtsp_look_at(gpointer pointer) {
    Guard *guard = pointer;
    GstRTSPClient *client = g_weak_ref_get(&guard->client);
    if (!client) return G_SOURCE_REMOVE;
    gboolean may_stay = obscura_rtsp_may_stay(guard, client);
    if (!may_stay) gst_rtsp_client_close(client);
    g_object_unref(client);
    return may_stay;
}

static void obscura_rtsp_look_every_second(Guard *guard) {
    GSource *source = g_timeout_source_new_seconds(1);
    g_source_set_callback(source, obscura_rtsp_look_at, obscura_rtsp_guard_retain(guard), obscura_rtsp_guard_release);
    g_source_attach(source, guard->server->context);
    g_source_unref(source);
}

// Not from within what the client is doing.
static void obscura_rtsp_send_away(Guard *guard) {
    if (!g_atomic_int_compare_and_exchange(&guard->must_go, FALSE, TRUE)) return;
    GSource *source = g_idle_source_new();
    g_source_set_callback(source, obscura_rtsp_look_at, obscura_rtsp_guard_retain(guard), obscura_rtsp_guard_release);
    g_source_attach(source, guard->server->context);
    g_source_unref(source);
}

static GstRTSPStatusCode obscura_rtsp_client_asks(GstRTSPClient *client, GstRTSPContext *context, gpointer pointer) {
    (void)client, (void)context;
    g_atomic_int_set(&((Guard *)pointer)->has_asked, TRUE);
    return GST_RTSP_STS_OK;
}

static void obscura_rtsp_client_is_answered(
    GstRTSPClient *client, GstRTSPContext *context, GstRTSPMessage *message, gpointer pointer) {
    (void)client, (void)context;
    Guard *guard = pointer;
    GstRTSPStatusCode code = GST_RTSP_STS_OK;
    if (gst_rtsp_message_get_type(message) != GST_RTSP_MESSAGE_RESPONSE) return;
    gst_rtsp_message_parse_response(message, &code, NULL, NULL);
    if (code != GST_RTSP_STS_UNAUTHORIZED) return;
    guard->refusals += 1;
    if (guard->refusals >= most_refusals) obscura_rtsp_send_away(guard);
}

static void obscura_rtsp_client_has_session(GstRTSPClient *client, GstRTSPSession *session, gpointer pointer) {
    (void)client, (void)session;
    Guard *guard = pointer;
    guard->sessions += 1;
    if (guard->sessions > most_sessions) obscura_rtsp_send_away(guard);
}

static void obscura_rtsp_connect(GstRTSPClient *client, const gchar *signal, GCallback callback, Guard *guard) {
    g_signal_connect_data(
        client, signal, callback, obscura_rtsp_guard_retain(guard), obscura_rtsp_guard_closure_released,
        (GConnectFlags)0);
}

// The kernel ends a connection of which nothing is taken for so long.
static void obscura_rtsp_set_patience(GstRTSPClient *client, gint milliseconds) {
    GstRTSPConnection *connection = gst_rtsp_client_get_connection(client);
    GSocket *socket = connection ? gst_rtsp_connection_get_write_socket(connection) : NULL;
    if (!socket) return;
    g_socket_set_option(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, milliseconds, NULL);
    g_socket_set_option(socket, IPPROTO_TCP, TCP_NODELAY, 1, NULL);
    g_socket_set_keepalive(socket, TRUE);
}

static GstRTSPFilterResult obscura_rtsp_count_client(GstRTSPServer *server, GstRTSPClient *client, gpointer count) {
    (void)server, (void)client;
    *(gint *)count += 1;
    return GST_RTSP_FILTER_KEEP;
}

static void obscura_rtsp_client_came(GstRTSPServer *gst, GstRTSPClient *client, gpointer pointer) {
    RTSPServer *server = pointer;
    obscura_rtsp_set_patience(client, server->patience_ms);
    Guard *guard = g_new0(Guard, 1);
    guard->references = 1;
    guard->server = obscura_rtsp_retain(server);
    g_weak_ref_init(&guard->client, client);
    guard->idle_since = g_get_monotonic_time();
    obscura_rtsp_connect(client, "pre-describe-request", G_CALLBACK(obscura_rtsp_client_asks), guard);
    obscura_rtsp_connect(client, "send-message", G_CALLBACK(obscura_rtsp_client_is_answered), guard);
    obscura_rtsp_connect(client, "new-session", G_CALLBACK(obscura_rtsp_client_has_session), guard);
    gint count = 0;
    gst_rtsp_server_client_filter(gst, obscura_rtsp_count_client, &count);
    if (count > server->most_clients) {
        obscura_rtsp_send_away(guard);
    } else {
        obscura_rtsp_look_every_second(guard);
    }
    obscura_rtsp_guard_release(guard);
}

void obscura_rtsp_guard_clients(RTSPServer *server) {
    // The server never outlives what it tells.
    g_signal_connect(server->server, "client-connected", G_CALLBACK(obscura_rtsp_client_came), server);
}

#endif
