// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// The server: its address, its access control and its thread.

#ifdef OBSCURA_RTSP_SERVER

#include "server.h"

// The only role: that of viewers.
static const gchar *const viewer_role = "viewer";
static const guint cleanup_seconds = 2;

RTSPServer *obscura_rtsp_retain(RTSPServer *server) {
    return g_atomic_rc_box_acquire(server);
}

static void obscura_rtsp_free(gpointer pointer) {
    RTSPServer *server = pointer;
    g_ptr_array_unref(server->viewers);
    g_ptr_array_unref(server->guards);
    g_hash_table_unref(server->guesses);
    g_free(server->launch_with_sound);
    g_free(server->launch_without_sound);
    pthread_cond_destroy(&server->client_left);
    pthread_mutex_destroy(&server->lock);
}

void obscura_rtsp_release(gpointer server) {
    g_atomic_rc_box_release_full(server, obscura_rtsp_free);
}

static gpointer obscura_rtsp_run(gpointer pointer) {
    RTSPServer *server = pointer;
    g_main_context_push_thread_default(server->context);
    g_main_loop_run(server->loop);
    g_main_context_pop_thread_default(server->context);
    return NULL;
}

static gboolean obscura_rtsp_quit(gpointer pointer) {
    g_main_loop_quit(((RTSPServer *)pointer)->loop);
    return G_SOURCE_REMOVE;
}

static GstRTSPFilterResult obscura_rtsp_count_media(GstRTSPSession *session, GstRTSPSessionMedia *media, gpointer count) {
    (void)session, (void)media;
    *(guint *)count += 1;
    return GST_RTSP_FILTER_KEEP;
}

// A client that disconnects leaves an empty session, which would count against the limit for another minute. A session
// that is being created is empty too, so it is removed only if it is empty in two consecutive checks.
static GstRTSPFilterResult obscura_rtsp_keep_session(GstRTSPSessionPool *pool, GstRTSPSession *session, gpointer data) {
    (void)pool, (void)data;
    guint count = 0;
    gst_rtsp_session_filter(session, obscura_rtsp_count_media, &count);
    gboolean was_empty = g_object_get_data(G_OBJECT(session), "obscura-was-empty") != NULL;
    g_object_set_data(G_OBJECT(session), "obscura-was-empty", count == 0 ? session : NULL);
    return count == 0 && was_empty ? GST_RTSP_FILTER_REMOVE : GST_RTSP_FILTER_KEEP;
}

static gboolean obscura_rtsp_clean_up(gpointer pointer) {
    RTSPServer *server = pointer;
    GstRTSPSessionPool *pool = gst_rtsp_server_get_session_pool(server->server);
    gst_rtsp_session_pool_cleanup(pool);
    g_list_free_full(gst_rtsp_session_pool_filter(pool, obscura_rtsp_keep_session, NULL), g_object_unref);
    g_object_unref(pool);
    return G_SOURCE_CONTINUE;
}

static void obscura_rtsp_attach_cleaning(RTSPServer *server) {
    GSource *source = g_timeout_source_new_seconds(cleanup_seconds);
    g_source_set_callback(source, obscura_rtsp_clean_up, server, NULL);
    g_source_attach(source, server->context);
    g_source_unref(source);
}

// Only clients with the password may view. It is never sent over the network (RFC 7826 section 19, RFC 2617).
static void obscura_rtsp_protect(RTSPServer *server, GstRTSPMediaFactory *factory, const RTSPSettings *settings) {
    if (!settings->user || !settings->password) return;
    GstRTSPAuth *auth = gst_rtsp_auth_new();
    gst_rtsp_auth_set_supported_methods(auth, GST_RTSP_AUTH_DIGEST);
    gst_rtsp_auth_set_realm(auth, "Obscura");
    GstRTSPToken *token = gst_rtsp_token_new(GST_RTSP_TOKEN_MEDIA_FACTORY_ROLE, G_TYPE_STRING, viewer_role, NULL);
    gst_rtsp_auth_add_digest(auth, settings->user, settings->password, token);
    gst_rtsp_token_unref(token);
    gst_rtsp_server_set_auth(server->server, auth);
    g_object_unref(auth);
    gst_rtsp_media_factory_add_role(
        factory, viewer_role, GST_RTSP_PERM_MEDIA_FACTORY_ACCESS, G_TYPE_BOOLEAN, TRUE,
        GST_RTSP_PERM_MEDIA_FACTORY_CONSTRUCT, G_TYPE_BOOLEAN, TRUE, NULL);
}

static void obscura_rtsp_mount(RTSPServer *server, const RTSPSettings *settings) {
    GstRTSPMediaFactory *factory = gst_rtsp_media_factory_new();
    server->launch_with_sound = obscura_rtsp_pipeline(settings, TRUE);
    server->launch_without_sound = obscura_rtsp_pipeline(settings, FALSE);
    server->offers_sound = !settings->has_pictures;
    server->last_sound = G_MININT64;
    gst_rtsp_media_factory_set_launch(
        factory, server->offers_sound ? server->launch_with_sound : server->launch_without_sound);
    gst_rtsp_media_factory_set_shared(factory, FALSE);
    gst_rtsp_media_factory_set_protocols(factory, GST_RTSP_LOWER_TRANS_TCP | GST_RTSP_LOWER_TRANS_UDP);
    gst_rtsp_media_factory_set_profiles(factory, GST_RTSP_PROFILE_AVP);
    obscura_rtsp_protect(server, factory, settings);
    obscura_rtsp_watch_factory(server, factory);
    server->factory = g_object_ref(factory);
    GstRTSPMountPoints *mounts = gst_rtsp_server_get_mount_points(server->server);
    gst_rtsp_mount_points_add_factory(mounts, settings->path, factory);
    g_object_unref(mounts);
}

static void obscura_rtsp_limit(RTSPServer *server) {
    // One thread per connection: a client that requests the stream waits for the next key frame, and must not block
    // the others.
    GstRTSPThreadPool *threads = gst_rtsp_server_get_thread_pool(server->server);
    gst_rtsp_thread_pool_set_max_threads(threads, -1);
    g_object_unref(threads);
    GstRTSPSessionPool *sessions = gst_rtsp_server_get_session_pool(server->server);
    gst_rtsp_session_pool_set_max_sessions(sessions, 2 * (guint)server->most_clients);
    g_object_unref(sessions);
    gst_rtsp_server_set_content_length_limit(server->server, 64 * 1024);
    // If many clients connect at the same time, those that do not fit in the backlog would retry only after a second.
    gst_rtsp_server_set_backlog(server->server, 128);
    obscura_rtsp_guard_clients(server);
}

RTSPServer *obscura_rtsp_open(const RTSPSettings *settings, RTSPFailure *failure, char *words) {
    *failure = RTSPFailureOther;
    words[0] = 0;
    GError *error = NULL;
    if (!gst_init_check(NULL, NULL, &error)) {
        g_strlcpy(words, error ? error->message : "GStreamer cannot be initialized", RTSPWordsCapacity);
        g_clear_error(&error);
        return NULL;
    }
    if (!obscura_rtsp_has_parts(settings, words)) {
        *failure = RTSPFailurePartMissing;
        return NULL;
    }
    RTSPServer *server = g_atomic_rc_box_new0(RTSPServer);
    pthread_mutex_init(&server->lock, NULL);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&server->client_left, &attributes);
    pthread_condattr_destroy(&attributes);
    server->viewers = g_ptr_array_new();
    server->guards = g_ptr_array_new();
    server->guesses = obscura_rtsp_guesses_new();
    server->most_clients = settings->most_clients;
    server->patience_ms = MAX(1000, settings->patience_ms);
    server->queue_limit = (GstClockTime)settings->queue_limit_ms * GST_MSECOND;
    server->has_pictures = settings->has_pictures;
    server->context = g_main_context_new();
    server->loop = g_main_loop_new(server->context, FALSE);
    server->server = gst_rtsp_server_new();
    gst_rtsp_server_set_address(server->server, settings->address);
    gchar *service = g_strdup_printf("%u", settings->port);
    gst_rtsp_server_set_service(server->server, service);
    g_free(service);
    obscura_rtsp_limit(server);
    obscura_rtsp_mount(server, settings);
    if (obscura_rtsp_listen(server, failure, words)) {
        obscura_rtsp_attach_cleaning(server);
        server->thread = g_thread_try_new("rtsp-server", obscura_rtsp_run, server, &error);
        if (server->thread) return server;
        g_strlcpy(words, error ? error->message : "cannot create a thread", RTSPWordsCapacity);
        g_clear_error(&error);
    }
    obscura_rtsp_close(server);
    return NULL;
}

static GstRTSPFilterResult obscura_rtsp_remove_session(GstRTSPSessionPool *pool, GstRTSPSession *session, gpointer data) {
    (void)pool, (void)session, (void)data;
    return GST_RTSP_FILTER_REMOVE;
}

void obscura_rtsp_close(RTSPServer *server) {
    // First, new connections are stopped.
    if (server->thread) {
        // From within the loop: it may not run yet, and a quit before that would be lost.
        GSource *quitting = g_idle_source_new();
        g_source_set_callback(quitting, obscura_rtsp_quit, server, NULL);
        g_source_attach(quitting, server->context);
        g_source_unref(quitting);
        g_thread_join(server->thread);
    }
    obscura_rtsp_stop_listening(server);
    obscura_rtsp_send_all_away(server);
    GstRTSPSessionPool *pool = gst_rtsp_server_get_session_pool(server->server);
    GList *sessions = gst_rtsp_session_pool_filter(pool, obscura_rtsp_remove_session, NULL);
    g_list_free_full(sessions, g_object_unref);
    g_object_unref(pool);
    g_clear_object(&server->factory);
    g_object_unref(server->server);
    g_main_loop_unref(server->loop);
    g_main_context_unref(server->context);
    obscura_rtsp_release(server);
}

#endif
