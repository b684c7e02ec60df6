// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// Reads frames of a camera of PipeWire with GStreamer, as an application does, and prints what CameraFrames prints.
//
//   GStreamerFrames NODE WIDTH HEIGHT RATE COUNT

#include <gst/app/gstappsink.h>
#include <gst/gst.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/// The time of the monotonic clock, in milliseconds.
static double now(void) { return (double)g_get_monotonic_time() / 1000; }

/// The CPU time of all threads so far, in milliseconds.
static double cpuTime(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1000 + (double)time.tv_nsec / 1000000;
}

int main(int count, char **arguments) {
    if (count != 6) {
        printf("usage: GStreamerFrames NODE WIDTH HEIGHT RATE COUNT\n");
        return 0;
    }
    gst_init(NULL, NULL);
    char *description = g_strdup_printf(
        "pipewiresrc target-object=%s ! video/x-raw,format=YUY2,width=%s,height=%s,framerate=%s/1 ! "
        "appsink name=sink max-buffers=1 drop=true sync=false",
        arguments[1], arguments[2], arguments[3], arguments[4]);
    GError *error = NULL;
    GstElement *pipeline = gst_parse_launch(description, &error);
    if (error) {
        fprintf(stderr, "%s\n", error->message);
        return 1;
    }
    GstAppSink *sink = GST_APP_SINK(gst_bin_get_by_name(GST_BIN(pipeline), "sink"));
    const double begin = now();
    gst_element_set_state(pipeline, GST_STATE_PLAYING);
    const int wanted = atoi(arguments[5]);
    int frames = 0;
    guint64 first = 0, last = 0;
    unsigned sum = 0;
    double firstTime = 0, cpuBegin = 0;
    while (frames < wanted) {
        GstSample *sample = gst_app_sink_pull_sample(sink);
        if (!sample) break;
        GstBuffer *buffer = gst_sample_get_buffer(sample);
        last = GST_BUFFER_OFFSET(buffer);
        if (frames++ == 0) {
            firstTime = now();
            first = last;
        }
        if (frames == 30) cpuBegin = cpuTime();
        GstMapInfo bytes;
        if (gst_buffer_map(buffer, &bytes, GST_MAP_READ)) {
            sum += bytes.data[0];
            gst_buffer_unmap(buffer, &bytes);
        }
        gst_sample_unref(sample);
    }
    const double cpuEnd = cpuTime();
    gst_element_set_state(pipeline, GST_STATE_NULL);
    const guint64 missed = frames == 0 ? 0 : last - first + 1 - (guint64)frames;
    printf("%d %" G_GUINT64_FORMAT " %f %u %f %f\n", frames, missed, firstTime - begin, sum, firstTime,
           cpuEnd - cpuBegin);
    return 0;
}
