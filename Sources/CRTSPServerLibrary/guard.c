// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// The limits of connections: their number, idle time, received bytes and wrong passwords.

#ifdef OBSCURA_RTSP_SERVER

#include "server.h"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>

// A client that requests the description of the stream waits for a key frame; GStreamer's timeout for that is 20 s.
static const gint asked_patience_ms = 20000;
// Includes the first 401 response of a connection, which only tells the client that a password is needed.
static const guint most_refusals = 4;
// A viewer sends a few requests at the beginning, and then occasional requests and reports of some hundred bytes.
// GStreamer does not limit the size of a request, and allocates ten times the size of its lines.
static const guint64 most_bytes_at_once = 16 << 10, most_bytes_a_second = 512;
// The time for which closing waits for the release of all clients, in seconds.
static const time_t end_patience = 2;
// A viewer has one session, and briefly a second one when it sets up the stream again.
static const guint most_sessions = 2;

// The state of a connection. A connection is closed only by a shutdown of its socket: its thread then detects the end,
// whatever it is doing. (If GStreamer's client is closed from another thread, it may leave the connection open.)
typedef struct {
    RTSPServer *server;
    GWeakRef socket;
    gchar *peer;
    gint references;
    gint has_asked;
    // The number of current sessions.
    gint sessions;
    gint64 connected_at;
    // The time since when there is no session. Used only by the thread of the server.
    gint64 idle_since;
    // Used only by the thread of the client.
    guint refusals;
    guint session_count;
} Guard;

static void obscura_rtsp_guard_release(gpointer pointer) {
    Guard *guard = pointer;
    if (!g_atomic_int_dec_and_test(&guard->references)) return;
    g_weak_ref_clear(&guard->socket);
    g_free(guard->peer);
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

static void obscura_rtsp_send_away(Guard *guard) {
    GSocket *socket = g_weak_ref_get(&guard->socket);
    if (!socket) return;
    g_socket_shutdown(socket, TRUE, TRUE, NULL);
    g_object_unref(socket);
}

// The total number of received bytes.
static guint64 obscura_rtsp_received(GSocket *socket) {
    struct tcp_info info = {0};
    socklen_t size = sizeof info;
    return getsockopt(g_socket_get_fd(socket), IPPROTO_TCP, TCP_INFO, &info, &size) == 0 ? info.tcpi_bytes_received : 0;
}

static gboolean obscura_rtsp_floods(Guard *guard, GSocket *socket) {
    guint64 seconds = (guint64)(g_get_monotonic_time() - guard->connected_at) / G_USEC_PER_SEC;
    return obscura_rtsp_received(socket) > most_bytes_at_once + seconds * most_bytes_a_second;
}

// Runs in the thread of the server, every second. Closes a connection that sends too much, or that has had no session
// for too long. A session ends at the request of the viewer, or when nothing was received from it for a minute;
// GStreamer leaves the connection open then.
static gboolean obscura_rtsp_look_at(gpointer pointer) {
    Guard *guard = pointer;
    GSocket *socket = g_weak_ref_get(&guard->socket);
    if (!socket) return G_SOURCE_REMOVE;
    gboolean floods = obscura_rtsp_floods(guard, socket);
    g_object_unref(socket);
    if (floods) {
        obscura_rtsp_send_away(guard);
        return G_SOURCE_REMOVE;
    }
    if (g_atomic_int_get(&guard->sessions) > 0) {
        guard->idle_since = g_get_monotonic_time();
        return G_SOURCE_CONTINUE;
    }
    gint patience = guard->server->patience_ms;
    if (g_atomic_int_get(&guard->has_asked)) patience = MAX(patience, asked_patience_ms);
    if (g_get_monotonic_time() - guard->idle_since < (gint64)patience * 1000) return G_SOURCE_CONTINUE;
    obscura_rtsp_send_away(guard);
    return G_SOURCE_REMOVE;
}

static void obscura_rtsp_look_every_second(Guard *guard) {
    GSource *source = g_timeout_source_new_seconds(1);
    g_source_set_callback(source, obscura_rtsp_look_at, obscura_rtsp_guard_retain(guard), obscura_rtsp_guard_release);
    g_source_attach(source, guard->server->context);
    g_source_unref(source);
}

static GstRTSPStatusCode obscura_rtsp_client_asks(GstRTSPClient *client, GstRTSPContext *context, gpointer pointer) {
    (void)client, (void)context;
    g_atomic_int_set(&((Guard *)pointer)->has_asked, TRUE);
    return GST_RTSP_STS_OK;
}

// Called after a wrong password. If the address is now blocked, closes its other connections without a session, which
// could continue to guess.
static void obscura_rtsp_has_guessed(Guard *guard) {
    RTSPServer *server = guard->server;
    pthread_mutex_lock(&server->lock);
    gboolean is_kept_out = obscura_rtsp_note_guess(server, guard->peer);
    for (guint index = 0; is_kept_out && index < server->guards->len; index++) {
        Guard *other = g_ptr_array_index(server->guards, index);
        if (g_atomic_int_get(&other->sessions) == 0 && g_str_equal(other->peer, guard->peer))
            obscura_rtsp_send_away(other);
    }
    pthread_mutex_unlock(&server->lock);
}

static gboolean obscura_rtsp_names_password(GstRTSPContext *context) {
    gchar *words = NULL;
    return context && context->request
        && gst_rtsp_message_get_header(context->request, GST_RTSP_HDR_AUTHORIZATION, &words, 0) == GST_RTSP_OK;
}

static void obscura_rtsp_client_is_answered(
    GstRTSPClient *client, GstRTSPContext *context, GstRTSPMessage *message, gpointer pointer) {
    (void)client;
    Guard *guard = pointer;
    GstRTSPStatusCode code = GST_RTSP_STS_OK;
    if (gst_rtsp_message_get_type(message) != GST_RTSP_MESSAGE_RESPONSE) return;
    gst_rtsp_message_parse_response(message, &code, NULL, NULL);
    if (code != GST_RTSP_STS_UNAUTHORIZED) return;
    guard->refusals += 1;
    // A client that had a session has sent the right password; 401 then only means that the challenge has expired.
    if (guard->session_count == 0 && obscura_rtsp_names_password(context)) obscura_rtsp_has_guessed(guard);
    if (guard->refusals >= most_refusals) obscura_rtsp_send_away(guard);
}

// Runs in the thread that releases the last reference.
static void obscura_rtsp_session_ended(gpointer pointer, GObject *session) {
    (void)session;
    Guard *guard = pointer;
    g_atomic_int_set(&guard->has_asked, FALSE);
    g_atomic_int_add(&guard->sessions, -1);
    obscura_rtsp_guard_release(guard);
}

static void obscura_rtsp_client_has_session(GstRTSPClient *client, GstRTSPSession *session, gpointer pointer) {
    (void)client;
    Guard *guard = pointer;
    g_atomic_int_inc(&guard->sessions);
    g_object_weak_ref(G_OBJECT(session), obscura_rtsp_session_ended, obscura_rtsp_guard_retain(guard));
    guard->session_count += 1;
    if (guard->session_count > most_sessions) obscura_rtsp_send_away(guard);
}

// The threads that send to a client over TCP use it without holding a reference, until its media has ended. A session
// that is removed while its client disconnects ends the media later than the client; so the media holds the client.
// Runs in the thread of the client, which has locked the media.
static void obscura_rtsp_client_sets_up(GstRTSPClient *client, GstRTSPContext *context, gpointer pointer) {
    (void)pointer;
    static const gchar key[] = "obscura-clients";
    GPtrArray *clients = g_object_get_data(G_OBJECT(context->media), key);
    if (!clients) {
        clients = g_ptr_array_new_with_free_func(g_object_unref);
        g_object_set_data_full(G_OBJECT(context->media), key, clients, (GDestroyNotify)g_ptr_array_unref);
    }
    if (!g_ptr_array_find(clients, client, NULL)) g_ptr_array_add(clients, g_object_ref(client));
}

static void obscura_rtsp_connect(GstRTSPClient *client, const gchar *signal, GCallback callback, Guard *guard) {
    g_signal_connect_data(
        client, signal, callback, obscura_rtsp_guard_retain(guard), obscura_rtsp_guard_closure_released,
        (GConnectFlags)0);
}

// The kernel closes a connection whose peer acknowledges nothing for this time.
static void obscura_rtsp_set_patience(GSocket *socket, gint milliseconds) {
    g_socket_set_option(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, milliseconds, NULL);
    g_socket_set_option(socket, IPPROTO_TCP, TCP_NODELAY, 1, NULL);
    g_socket_set_keepalive(socket, TRUE);
}

// Runs in the thread that releases the last reference.
static void obscura_rtsp_client_left(gpointer pointer, GObject *client) {
    (void)client;
    Guard *guard = pointer;
    RTSPServer *server = guard->server;
    pthread_mutex_lock(&server->lock);
    g_ptr_array_remove_fast(server->guards, guard);
    pthread_cond_signal(&server->client_left);
    pthread_mutex_unlock(&server->lock);
    obscura_rtsp_guard_release(guard);
}

static void obscura_rtsp_note_client(GstRTSPClient *client, Guard *guard) {
    RTSPServer *server = guard->server;
    g_object_weak_ref(G_OBJECT(client), obscura_rtsp_client_left, obscura_rtsp_guard_retain(guard));
    pthread_mutex_lock(&server->lock);
    g_ptr_array_add(server->guards, guard);
    pthread_mutex_unlock(&server->lock);
}

gboolean obscura_rtsp_has_room(RTSPServer *server) {
    pthread_mutex_lock(&server->lock);
    gboolean has_room = server->guards->len < (guint)server->most_clients;
    pthread_mutex_unlock(&server->lock);
    return has_room;
}

static void obscura_rtsp_client_came(GstRTSPServer *gst, GstRTSPClient *client, gpointer pointer) {
    (void)gst;
    RTSPServer *server = pointer;
    GstRTSPConnection *connection = gst_rtsp_client_get_connection(client);
    GSocket *socket = connection ? gst_rtsp_connection_get_read_socket(connection) : NULL;
    if (!socket) return;
    obscura_rtsp_set_patience(socket, server->patience_ms);
    Guard *guard = g_new0(Guard, 1);
    guard->references = 1;
    guard->server = obscura_rtsp_retain(server);
    g_weak_ref_init(&guard->socket, socket);
    guard->peer = obscura_rtsp_peer(socket);
    guard->idle_since = guard->connected_at = g_get_monotonic_time();
    obscura_rtsp_connect(client, "pre-describe-request", G_CALLBACK(obscura_rtsp_client_asks), guard);
    obscura_rtsp_connect(client, "send-message", G_CALLBACK(obscura_rtsp_client_is_answered), guard);
    obscura_rtsp_connect(client, "setup-request", G_CALLBACK(obscura_rtsp_client_sets_up), guard);
    obscura_rtsp_connect(client, "new-session", G_CALLBACK(obscura_rtsp_client_has_session), guard);
    obscura_rtsp_note_client(client, guard);
    obscura_rtsp_look_every_second(guard);
    obscura_rtsp_guard_release(guard);
}

void obscura_rtsp_send_all_away(RTSPServer *server) {
    struct timespec deadline;
    clock_gettime(CLOCK_MONOTONIC, &deadline);
    deadline.tv_sec += end_patience;
    pthread_mutex_lock(&server->lock);
    for (guint index = 0; index < server->guards->len; index++)
        obscura_rtsp_send_away(g_ptr_array_index(server->guards, index));
    // A connection that has not ended by then is left to its thread, which holds references to all that it needs.
    int status = 0;
    while (server->guards->len > 0 && status == 0)
        status = pthread_cond_timedwait(&server->client_left, &server->lock, &deadline);
    pthread_mutex_unlock(&server->lock);
}

void obscura_rtsp_guard_clients(RTSPServer *server) {
    // No reference is needed: `server` outlives this GstRTSPServer.
    g_signal_connect(server->server, "client-connected", G_CALLBACK(obscura_rtsp_client_came), server);
}

#endif
