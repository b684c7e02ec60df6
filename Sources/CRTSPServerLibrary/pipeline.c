// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// The pipeline between a packet and the socket of a viewer: an appsrc, and GStreamer's payloader.

#ifdef OBSCURA_RTSP_SERVER

#include "server.h"

// A source that never blocks and has no limits of its own: its level is checked before each push.
#define SOURCE "appsrc is-live=true format=time block=false max-bytes=0 max-buffers=0 max-time=0 "

// The payloader does not repeat the parameter sets: it would insert them before each slice of a key frame, and a
// decoder would interpret each slice as a frame.
gchar *obscura_rtsp_pipeline(const RTSPSettings *settings, gboolean has_sound) {
    GString *text = g_string_new("( ");
    guint number = 0;
    if (settings->has_pictures) {
        const gchar *codec = settings->is_hevc ? "h265" : "h264";
        g_string_append_printf(
            text,
            SOURCE "name=pictures caps=video/x-%s,stream-format=byte-stream,alignment=au "
                   "! rtp%spay name=pay%u pt=96 ",
            codec, codec, number++);
    }
    if (has_sound && settings->sample_rate > 0 && settings->sound_configuration_size > 0) {
        GString *configuration = g_string_new(NULL);
        for (size_t index = 0; index < settings->sound_configuration_size; index++) {
            g_string_append_printf(configuration, "%02x", settings->sound_configuration[index]);
        }
        g_string_append_printf(
            text,
            SOURCE "name=sound caps=audio/mpeg,mpegversion=4,stream-format=raw,rate=%d,channels=%d,"
                   "codec_data=(buffer)%s ! rtpmp4gpay name=pay%u pt=97 ",
            settings->sample_rate, settings->channels, configuration->str, number++);
        g_string_free(configuration, TRUE);
    }
    g_string_append(text, ")");
    return g_string_free(text, FALSE);
}

gboolean obscura_rtsp_has_parts(const RTSPSettings *settings, gchar *words) {
    const gchar *const parts[] = {
        "appsrc", "appsink", "tee", "queue", "udpsrc", "multiudpsink", "rtpbin",
        settings->is_hevc ? "rtph265pay" : "rtph264pay", "rtpmp4gpay",
    };
    for (guint index = 0; index < G_N_ELEMENTS(parts); index++) {
        GstElementFactory *factory = gst_element_factory_find(parts[index]);
        if (!factory) {
            g_strlcpy(words, parts[index], RTSPWordsCapacity);
            return FALSE;
        }
        gst_object_unref(factory);
    }
    return TRUE;
}

#endif
