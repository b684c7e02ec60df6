// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// Viewers, and the delivery of packets to them.

#ifdef OBSCURA_RTSP_SERVER

#include "server.h"

// A source of a viewer's pipeline, and the places of the packets in its queue, in nanoseconds. They are the times of the
// packets, but dropped packets take no time. GStreamer's level of the queue includes that time, so that a queue with one
// frame from before them and the key frame after them would be full.
typedef struct {
    GstAppSrc *element;
    // Oldest first.
    GArray *places;
    // The place of the last packet that was added.
    gint64 place;
    // The time of the last packet, added or dropped; has_time is whether there is one.
    gint64 time;
    gboolean has_time;
} Source;

// A viewer: the two sources of its pipeline. Guarded by the lock of the server.
typedef struct {
    GstRTSPMedia *media;
    Source pictures;
    Source sound;
    // Whether frames are dropped until the next key frame: at the start, and after frames were dropped.
    gboolean waits_for_key;
    gboolean has_begun;
    // The packet time that is time 0 for this viewer.
    gint64 beginning;
} Viewer;

static Source obscura_rtsp_source(GstElement *pipeline, const gchar *name) {
    GstElement *element = gst_bin_get_by_name_recurse_up(GST_BIN(pipeline), name);
    return (Source){
        .element = element ? GST_APP_SRC(element) : NULL,
        .places = g_array_new(FALSE, FALSE, sizeof(gint64)),
    };
}

static void obscura_rtsp_source_clear(Source *source) {
    g_clear_pointer(&source->element, gst_object_unref);
    g_clear_pointer(&source->places, g_array_unref);
}

static void obscura_rtsp_viewer_free(Viewer *viewer) {
    obscura_rtsp_source_clear(&viewer->pictures);
    obscura_rtsp_source_clear(&viewer->sound);
    g_free(viewer);
}

// The place of the next packet. Frames may be reordered, so it can be before the last one.
static gint64 obscura_rtsp_next_place(Source *source, gint64 time) {
    gint64 step = source->has_time ? time - source->time : 0;
    source->time = time;
    source->has_time = TRUE;
    return source->place + step;
}

// Whether the queue of a viewer is full for a packet at this place.
static gboolean obscura_rtsp_is_behind(const RTSPServer *server, Source *source, gint64 place) {
    guint count = source->places->len;
    guint waiting = (guint)MIN(gst_app_src_get_current_level_buffers(source->element), count);
    g_array_remove_range(source->places, 0, count - waiting);
    return waiting > 0 && place - g_array_index(source->places, gint64, 0) >= (gint64)server->queue_limit;
}

static void obscura_rtsp_push(Source *source, GstBuffer *buffer, gint64 place) {
    source->place = place;
    g_array_append_val(source->places, place);
    // Takes ownership of the buffer. The result is ignored: it fails only for a pipeline that is being stopped.
    gst_app_src_push_buffer(source->element, buffer);
}

// Whether the viewer receives the packet. The caller holds the lock.
static gboolean obscura_rtsp_takes(
    RTSPServer *server, Viewer *viewer, Source *source, const RTSPPacket *packet, gint64 place) {
    if (!packet->is_picture) {
        // Audio from before the first frame of this viewer is dropped.
        gboolean is_early = viewer->has_begun ? packet->time < viewer->beginning : server->has_pictures;
        return !is_early && !obscura_rtsp_is_behind(server, source, place);
    }
    // Copied frames may be shown before the key frame that they follow. They need frames that this viewer does not have,
    // and would have a negative time.
    if (viewer->has_begun && packet->time < viewer->beginning) return FALSE;
    if (obscura_rtsp_is_behind(server, source, place)) {
        viewer->waits_for_key = TRUE;
    } else if (packet->is_key) {
        viewer->waits_for_key = FALSE;
    }
    return !viewer->waits_for_key;
}

// A new viewer waits for a packet of each offered stream. Therefore audio is offered only while there is some.
static void obscura_rtsp_offer(RTSPServer *server, const RTSPPacket *packet) {
    if (!server->has_pictures) return;
    if (!packet->is_picture) server->last_sound = packet->time;
    gboolean has_sound = server->last_sound != G_MININT64 && packet->time - server->last_sound < 2 * (gint64)GST_SECOND;
    if (has_sound == server->offers_sound) return;
    server->offers_sound = has_sound;
    gst_rtsp_media_factory_set_launch(
        server->factory, has_sound ? server->launch_with_sound : server->launch_without_sound);
}

bool obscura_rtsp_send(RTSPServer *server, const RTSPPacket *packet) {
    obscura_rtsp_offer(server, packet);
    pthread_mutex_lock(&server->lock);
    GstBuffer *whole = NULL;
    gboolean has_memory = TRUE;
    for (guint index = 0; index < server->viewers->len; index++) {
        Viewer *viewer = g_ptr_array_index(server->viewers, index);
        Source *source = packet->is_picture ? &viewer->pictures : &viewer->sound;
        if (!source->element) continue;
        gint64 place = obscura_rtsp_next_place(source, packet->time);
        if (!obscura_rtsp_takes(server, viewer, source, packet, place)) continue;
        // The bytes are copied once, and shared by all viewers.
        if (!whole) whole = gst_buffer_new_memdup(packet->bytes, packet->size);
        GstBuffer *own = whole ? gst_buffer_copy(whole) : NULL;
        if (!own) {
            has_memory = FALSE;
            break;
        }
        if (!viewer->has_begun) {
            viewer->has_begun = TRUE;
            viewer->beginning = packet->time;
        }
        GST_BUFFER_PTS(own) = (GstClockTime)(packet->time - viewer->beginning);
        GST_BUFFER_DTS(own) = GST_BUFFER_PTS(own);
        GST_BUFFER_DURATION(own) = (GstClockTime)packet->duration;
        if (packet->is_picture && !packet->is_key) GST_BUFFER_FLAG_SET(own, GST_BUFFER_FLAG_DELTA_UNIT);
        obscura_rtsp_push(source, own, place);
    }
    pthread_mutex_unlock(&server->lock);
    if (whole) gst_buffer_unref(whole);
    return has_memory;
}

int32_t obscura_rtsp_viewers(RTSPServer *server) {
    pthread_mutex_lock(&server->lock);
    guint count = server->viewers->len;
    pthread_mutex_unlock(&server->lock);
    return (int32_t)count;
}

bool obscura_rtsp_take_key_frame_wish(RTSPServer *server) {
    pthread_mutex_lock(&server->lock);
    gboolean wanted = server->wants_key_frame;
    server->wants_key_frame = FALSE;
    pthread_mutex_unlock(&server->lock);
    return wanted;
}

// Called when the pipeline of a viewer is freed.
static void obscura_rtsp_media_ended(gpointer pointer, GObject *media) {
    RTSPServer *server = pointer;
    pthread_mutex_lock(&server->lock);
    for (guint index = 0; index < server->viewers->len; index++) {
        Viewer *viewer = g_ptr_array_index(server->viewers, index);
        if ((GObject *)viewer->media != media) continue;
        g_ptr_array_remove_index_fast(server->viewers, index);
        obscura_rtsp_viewer_free(viewer);
        break;
    }
    pthread_mutex_unlock(&server->lock);
    obscura_rtsp_release(server);
}

static void obscura_rtsp_closure_released(gpointer server, GClosure *closure) {
    (void)closure;
    obscura_rtsp_release(server);
}

// Packets are sent immediately; their times are only for the viewer. By default the sinks wait for the time of each
// packet. If a busy machine starts the pipeline long after the first key frame, all packets would stay behind by that
// time, and the queue full. GStreamer's "rate control" is no solution: it is only for TCP, without it the sender reports
// have no times, and PLAY turns it on again.
static void obscura_rtsp_element_added(GstBin *pipeline, GstElement *element, gpointer data) {
    (void)pipeline, (void)data;
    gboolean is_sink = GST_OBJECT_FLAG_IS_SET(element, GST_ELEMENT_FLAG_SINK);
    if (!is_sink || !g_object_class_find_property(G_OBJECT_GET_CLASS(element), "ts-offset")) return;
    g_object_set(element, "ts-offset", -G_MAXINT64, NULL);
}

// Called when a client has requested the stream. It gets the description only after the first key frame, so one is
// requested.
static void obscura_rtsp_media_made(GstRTSPMediaFactory *factory, GstRTSPMedia *media, gpointer pointer) {
    (void)factory;
    RTSPServer *server = pointer;
    GstElement *element = gst_rtsp_media_get_element(media);
    GstElement *pipeline = GST_ELEMENT_PARENT(element);
    g_signal_connect(pipeline, "element-added", G_CALLBACK(obscura_rtsp_element_added), NULL);
    Viewer *viewer = g_new0(Viewer, 1);
    viewer->media = media;
    viewer->pictures = obscura_rtsp_source(element, "pictures");
    viewer->sound = obscura_rtsp_source(element, "sound");
    viewer->waits_for_key = TRUE;
    gst_object_unref(element);
    g_object_weak_ref(G_OBJECT(media), obscura_rtsp_media_ended, obscura_rtsp_retain(server));
    pthread_mutex_lock(&server->lock);
    g_ptr_array_add(server->viewers, viewer);
    server->wants_key_frame = TRUE;
    pthread_mutex_unlock(&server->lock);
}

void obscura_rtsp_watch_factory(RTSPServer *server, GstRTSPMediaFactory *factory) {
    g_signal_connect_data(
        factory, "media-configure", G_CALLBACK(obscura_rtsp_media_made), obscura_rtsp_retain(server),
        obscura_rtsp_closure_released, (GConnectFlags)0);
}

#endif
