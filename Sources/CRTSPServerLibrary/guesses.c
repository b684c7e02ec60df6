// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// Wrong passwords. A connection has few attempts (guard.c), but a client can open many connections. Therefore an
// address that has sent several wrong passwords is blocked for some time, which doubles with each further one. Current
// viewers from that address are not affected.

#ifdef OBSCURA_RTSP_SERVER

#include "server.h"

#include <string.h>

static const guint free_guesses = 4;
static const gint64 first_pause = G_USEC_PER_SEC, longest_pause = 60 * G_USEC_PER_SEC;
// An address without a wrong password for this time is removed.
static const gint64 memory = 600 * G_USEC_PER_SEC;
// An attacker can use many addresses; the size of the table is limited.
static const guint most_peers = 1024;

typedef struct {
    guint count;
    gint64 last_at;
} Guesses;

// The IPv4 address, or the first 64 bits of the IPv6 address: one user usually has a whole /64 network.
gchar *obscura_rtsp_peer(GSocket *socket) {
    GSocketAddress *address = g_socket_get_remote_address(socket, NULL);
    if (!address) return g_strdup("");
    GInetAddress *host = g_inet_socket_address_get_address(G_INET_SOCKET_ADDRESS(address));
    const guint8 *bytes = g_inet_address_to_bytes(host);
    static const guint8 mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
    gboolean is_short = g_inet_address_get_native_size(host) == 4;
    // "::ffff:1.2.3.4" is the form of an IPv4 address on a dual-stack socket.
    if (!is_short && memcmp(bytes, mapped, sizeof mapped) == 0) bytes += sizeof mapped, is_short = TRUE;
    GString *peer = g_string_new(is_short ? "4 " : "6 ");
    for (guint index = 0; index < (is_short ? 4u : 8u); index++) g_string_append_printf(peer, "%02x", bytes[index]);
    g_object_unref(address);
    return g_string_free(peer, FALSE);
}

static gint64 obscura_rtsp_pause(guint count) {
    if (count < free_guesses) return 0;
    guint doublings = MIN(count - free_guesses, 20);
    return MIN(longest_pause, first_pause << doublings);
}

static gboolean obscura_rtsp_is_old(gpointer peer, gpointer guesses, gpointer now) {
    (void)peer;
    return *(gint64 *)now - ((Guesses *)guesses)->last_at > memory;
}

GHashTable *obscura_rtsp_guesses_new(void) {
    return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
}

gboolean obscura_rtsp_note_guess(RTSPServer *server, const gchar *peer) {
    gint64 now = g_get_monotonic_time();
    g_hash_table_foreach_remove(server->guesses, obscura_rtsp_is_old, &now);
    Guesses *guesses = g_hash_table_lookup(server->guesses, peer);
    if (!guesses) {
        if (g_hash_table_size(server->guesses) >= most_peers) g_hash_table_remove_all(server->guesses);
        guesses = g_new0(Guesses, 1);
        g_hash_table_insert(server->guesses, g_strdup(peer), guesses);
    }
    guesses->count += 1;
    guesses->last_at = now;
    return obscura_rtsp_pause(guesses->count) > 0;
}

gint obscura_rtsp_seconds_kept_out(RTSPServer *server, const gchar *peer) {
    pthread_mutex_lock(&server->lock);
    Guesses *guesses = g_hash_table_lookup(server->guesses, peer);
    gint64 rest = guesses ? guesses->last_at + obscura_rtsp_pause(guesses->count) - g_get_monotonic_time() : 0;
    pthread_mutex_unlock(&server->lock);
    return rest > 0 ? (gint)(rest / G_USEC_PER_SEC) + 1 : 0;
}

#endif
