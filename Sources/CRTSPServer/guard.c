// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// Connections: how many there may be, and for how long one may do nothing.
#include "server.h"

#ifdef OBSCURA_RTSP_SERVER

#include <netinet/in.h>
#include <netinet/tcp.h>

// A connection, and since when it has had no session. In the server's own thread.
typedef struct {
    RTSPServer *server;
    GstRTSPClient *client;
    gint64 idle_since;
    gboolean is_too_many;
} Guard;

static void obscura_rtsp_guard_free(gpointer pointer) {
    Guard *guard = pointer;
    g_object_unref(guard->client);
    obscura_rtsp_release(guard->server);
    g_free(guard);
}

static GstRTSPFilterResult obscura_rtsp_count(GstRTSPClient *client, GstRTSPSession *session, gpointer count) {
    (void)client, (void)session;
    *(guint *)count += 1;
    return GST_RTSP_FILTER_KEEP;
}

static gboolean obscura_rtsp_is_connected(GstRTSPClient *client) {
    return gst_rtsp_client_get_connection(client) != NULL;
}

static gboolean obscura_rtsp_look_at(gpointer pointer) {
    Guard *guard = pointer;
    if (!obscura_rtsp_is_connected(guard->client)) return G_SOURCE_REMOVE;
    guint sessions = 0;
    gst_rtsp_client_session_filter(guard->client, obscura_rtsp_count, &sessions);
    gint64 now = g_get_monotonic_time();
    if (sessions > 0) guard->idle_since = now;
    gint64 patience = (gint64)guard->server->patience_ms * 1000;
    if (!guard->is_too_many && now - guard->idle_since < patience) return G_SOURCE_CONTINUE;
    gst_rtsp_client_close(guard->client);
    return G_SOURCE_REMOVE;
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
    gint count = 0;
    gst_rtsp_server_client_filter(gst, obscura_rtsp_count_client, &count);
    Guard *guard = g_new0(Guard, 1);
    guard->server = obscura_rtsp_retain(server);
    guard->client = g_object_ref(client);
    guard->idle_since = g_get_monotonic_time();
    guard->is_too_many = count > server->most_clients;
    GSource *source = guard->is_too_many ? g_idle_source_new() : g_timeout_source_new_seconds(1);
    g_source_set_callback(source, obscura_rtsp_look_at, guard, obscura_rtsp_guard_free);
    g_source_attach(source, server->context);
    g_source_unref(source);
}

void obscura_rtsp_guard_clients(RTSPServer *server) {
    // The server never outlives what it tells.
    g_signal_connect(server->server, "client-connected", G_CALLBACK(obscura_rtsp_client_came), server);
}

#endif
