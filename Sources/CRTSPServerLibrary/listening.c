// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// Accepts connections. GStreamer's own code would create a client, a thread and their descriptors for each connection
// before a limit could be applied, and GLib terminates the process when no descriptors are left.

#ifdef OBSCURA_RTSP_SERVER

#include "server.h"

#include <fcntl.h>
#include <gio/gio.h>
#include <unistd.h>

// The pause after a failure that will not end immediately.
static const guint pause_ms = 200;
// The Retry-After time for a client that is rejected because of a limit.
static const gint seconds_without_room = 5;

static int obscura_rtsp_open_spare(void) {
    return open("/dev/null", O_RDONLY | O_CLOEXEC);
}

// Rejects a connection without waiting for its first request.
static void obscura_rtsp_refuse(GSocket *socket, gint seconds) {
    gchar request[1024], refusal[128];
    gint length = g_snprintf(
        refusal, sizeof refusal,
        "RTSP/1.0 503 Service Unavailable\r\nRetry-After: %d\r\nConnection: close\r\n\r\n", seconds);
    g_socket_set_blocking(socket, FALSE);
    g_socket_send(socket, refusal, (gsize)length, NULL, NULL);
    // If a received request is not read, the kernel resets the connection, and the response is lost.
    g_socket_receive(socket, request, sizeof request, NULL, NULL);
    g_socket_close(socket, NULL);
}

static void obscura_rtsp_admit(RTSPServer *server, GSocket *socket) {
    GSocketAddress *address = g_socket_get_remote_address(socket, NULL);
    if (!address) return;
    GInetSocketAddress *peer = G_INET_SOCKET_ADDRESS(address);
    gchar *host = g_inet_address_to_string(g_inet_socket_address_get_address(peer));
    // The server takes ownership of the reference to the socket.
    gst_rtsp_server_transfer_connection(
        server->server, g_object_ref(socket), host, g_inet_socket_address_get_port(peer), NULL);
    g_free(host);
    g_object_unref(address);
}

// Rejects a connection for which no descriptor is left, with the spare one. Returns whether that was possible.
static gboolean obscura_rtsp_refuse_with_spare(RTSPServer *server, GSocket *listener) {
    if (server->spare < 0) return FALSE;
    close(server->spare);
    GSocket *socket = g_socket_accept(listener, NULL, NULL);
    if (socket) {
        obscura_rtsp_refuse(socket, seconds_without_room);
        g_object_unref(socket);
    }
    server->spare = obscura_rtsp_open_spare();
    return socket != NULL;
}

static gboolean obscura_rtsp_accept(GSocket *listener, GIOCondition condition, gpointer pointer);

static void obscura_rtsp_attach_listener(RTSPServer *server, GSocket *listener) {
    server->listening = g_socket_create_source(listener, G_IO_IN, NULL);
    g_source_set_callback(server->listening, G_SOURCE_FUNC(obscura_rtsp_accept), server, NULL);
    g_source_attach(server->listening, server->context);
}

// The data of a pause after a failure.
typedef struct {
    RTSPServer *server;
    GSocket *listener;
} Pause;

static gboolean obscura_rtsp_listen_again(gpointer pointer) {
    Pause *pause = pointer;
    g_source_unref(pause->server->listening);
    obscura_rtsp_attach_listener(pause->server, pause->listener);
    return G_SOURCE_REMOVE;
}

static void obscura_rtsp_pause_free(gpointer pointer) {
    Pause *pause = pointer;
    g_object_unref(pause->listener);
    g_free(pause);
}

// During the pause the kernel keeps new connections in the backlog. Without the pause, they would wake the thread again
// and again, and it would do nothing else.
static void obscura_rtsp_listen_later(RTSPServer *server, GSocket *listener) {
    Pause *pause = g_new0(Pause, 1);
    pause->server = server;
    pause->listener = g_object_ref(listener);
    GSource *source = g_timeout_source_new(pause_ms);
    g_source_set_callback(source, obscura_rtsp_listen_again, pause, obscura_rtsp_pause_free);
    g_source_attach(source, server->context);
    g_source_unref(source);
}

// Runs in the thread of the server when a client has connected.
static gboolean obscura_rtsp_accept(GSocket *listener, GIOCondition condition, gpointer pointer) {
    (void)condition;
    RTSPServer *server = pointer;
    if (server->spare < 0) server->spare = obscura_rtsp_open_spare();
    GError *error = NULL;
    GSocket *socket = g_socket_accept(listener, NULL, &error);
    if (!socket) {
        gboolean is_over = g_error_matches(error, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK);
        g_clear_error(&error);
        if (is_over || obscura_rtsp_refuse_with_spare(server, listener)) return G_SOURCE_CONTINUE;
        obscura_rtsp_listen_later(server, listener);
        return G_SOURCE_REMOVE;
    }
    gchar *peer = obscura_rtsp_peer(socket);
    gint seconds = obscura_rtsp_seconds_kept_out(server, peer);
    g_free(peer);
    if (seconds == 0 && !obscura_rtsp_has_room(server)) seconds = seconds_without_room;
    if (seconds == 0) {
        obscura_rtsp_admit(server, socket);
    } else {
        obscura_rtsp_refuse(socket, seconds);
    }
    g_object_unref(socket);
    return G_SOURCE_CONTINUE;
}

gboolean obscura_rtsp_listen(RTSPServer *server, RTSPFailure *failure, gchar *words) {
    GError *error = NULL;
    GSocket *socket = gst_rtsp_server_create_socket(server->server, NULL, &error);
    if (!socket) {
        *failure = error && error->domain == G_IO_ERROR ? RTSPFailureAddress : RTSPFailureOther;
        g_strlcpy(words, error ? error->message : "cannot create a socket", RTSPWordsCapacity);
        g_clear_error(&error);
        return FALSE;
    }
    server->spare = obscura_rtsp_open_spare();
    obscura_rtsp_attach_listener(server, socket);
    g_object_unref(socket);
    return TRUE;
}

void obscura_rtsp_stop_listening(RTSPServer *server) {
    if (!server->listening) return;
    g_source_destroy(server->listening);
    g_source_unref(server->listening);
    server->listening = NULL;
    if (server->spare >= 0) close(server->spare);
}

#endif
