// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// A stream of frames or sound from one node.

#include "library.h"

#if OBSCURA_PIPEWIRE

#include <spa/param/audio/format-utils.h>
#include <spa/param/video/format-utils.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct OPWStream {
    struct pw_stream *stream;
    struct spa_hook listener;
    OPWState state;
    char *message;
    OPWFormat format;
    /// The number of agreements on a format so far.
    uint32_t agreements;
    uint32_t wantedBuffers;
    /// The stream's current buffers; unused places are NULL.
    struct pw_buffer *buffers[OPWMostBuffers];
    /// Whether the buffer has been dequeued, and not been returned.
    bool isDequeued[OPWMostBuffers];
    uint32_t bufferCount;
};

// MARK: Events

static void onState(void *context, enum pw_stream_state old, enum pw_stream_state state, const char *message) {
    (void)old;
    OPWStream *stream = context;
    stream->state = state < PW_STREAM_STATE_UNCONNECTED ? OPWStateFailed
                    : state > PW_STREAM_STATE_STREAMING ? OPWStateStreaming
                                                        : (OPWState)state;
    free(stream->message);
    stream->message = message ? strdup(message) : NULL;
}

static const struct spa_pod *metaParameter(struct spa_pod_builder *builder, uint32_t type, uint32_t byteCount) {
    return spa_pod_builder_add_object(
        builder, SPA_TYPE_OBJECT_ParamMeta, SPA_PARAM_Meta, SPA_PARAM_META_type, SPA_POD_Id(type),
        SPA_PARAM_META_size, SPA_POD_Int(byteCount));
}

/// Repeats a format with the first of its DRM modifiers: the two sides agree on a format first, and this side then
/// chooses a modifier (PipeWire's documentation, "DMA-BUF Sharing").
static const struct spa_pod *fixedModifier(struct spa_pod_builder *builder, const struct spa_pod *pod) {
    const struct spa_pod_prop *property = spa_pod_find_prop(pod, NULL, SPA_FORMAT_VIDEO_modifier);
    if (!property || !(property->flags & SPA_POD_PROP_FLAG_DONT_FIXATE)) return NULL;
    uint32_t count = 0, choice = 0;
    const struct spa_pod *values = spa_pod_get_values(&property->value, &count, &choice);
    struct spa_video_info_raw raw = {0};
    if (!values || count == 0 || values->type != SPA_TYPE_Long || spa_format_video_raw_parse(pod, &raw) < 0) return NULL;
    int64_t modifier;
    memcpy(&modifier, SPA_POD_BODY_CONST(values), sizeof modifier);
    struct spa_pod_frame frame;
    spa_pod_builder_push_object(builder, &frame, SPA_TYPE_OBJECT_Format, SPA_PARAM_EnumFormat);
    spa_pod_builder_add(
        builder, SPA_FORMAT_mediaType, SPA_POD_Id(SPA_MEDIA_TYPE_video), SPA_FORMAT_mediaSubtype,
        SPA_POD_Id(SPA_MEDIA_SUBTYPE_raw), SPA_FORMAT_VIDEO_format, SPA_POD_Id(raw.format), SPA_FORMAT_VIDEO_size,
        SPA_POD_Rectangle(&raw.size), SPA_FORMAT_VIDEO_framerate, SPA_POD_Fraction(&raw.framerate), 0);
    spa_pod_builder_prop(builder, SPA_FORMAT_VIDEO_modifier, SPA_POD_PROP_FLAG_MANDATORY);
    spa_pod_builder_long(builder, modifier);
    return spa_pod_builder_pop(builder, &frame);
}

static void onParameter(void *context, uint32_t id, const struct spa_pod *pod) {
    OPWStream *stream = context;
    if (id != SPA_PARAM_Format || !pod || !OPWIsWellFormed(pod)) return;
    uint8_t bytes[2048];
    struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(bytes, sizeof bytes);
    const struct spa_pod *parameters[4];
    parameters[0] = fixedModifier(&builder, pod);
    if (parameters[0]) {
        library.pw_stream_update_params(stream->stream, parameters, 1);
        return;
    }
    OPWFormat format;
    if (!OPWReadFormat(pod, &format)) return;
    stream->format = format;
    stream->agreements++;
    if (format.isAudio) return;
    const int32_t types = 1 << SPA_DATA_MemFd | 1 << SPA_DATA_DmaBuf;
    parameters[0] = spa_pod_builder_add_object(
        &builder, SPA_TYPE_OBJECT_ParamBuffers, SPA_PARAM_Buffers, SPA_PARAM_BUFFERS_buffers,
        SPA_POD_CHOICE_RANGE_Int((int)stream->wantedBuffers, 2, OPWMostBuffers), SPA_PARAM_BUFFERS_dataType,
        SPA_POD_CHOICE_FLAGS_Int(types));
    parameters[1] = metaParameter(&builder, SPA_META_Header, sizeof(struct spa_meta_header));
    parameters[2] = metaParameter(&builder, SPA_META_VideoCrop, sizeof(struct spa_meta_region));
    parameters[3] = metaParameter(&builder, SPA_META_VideoTransform, sizeof(struct spa_meta_videotransform));
    library.pw_stream_update_params(stream->stream, parameters, 4);
}

static void onAddBuffer(void *context, struct pw_buffer *buffer) {
    OPWStream *stream = context;
    buffer->user_data = OPWMemoryMake(buffer->buffer, stream->format.isAudio);
    for (uint32_t i = 0; i < OPWMostBuffers; i++) {
        if (stream->buffers[i]) continue;
        stream->buffers[i] = buffer;
        stream->isDequeued[i] = false;
        stream->bufferCount++;
        return;
    }
}

/// The place of a buffer; OPWMostBuffers if the stream does not have it.
static uint32_t place(const OPWStream *stream, const struct pw_buffer *buffer) {
    uint32_t i = 0;
    while (i < OPWMostBuffers && stream->buffers[i] != buffer) i++;
    return i;
}

static void onRemoveBuffer(void *context, struct pw_buffer *buffer) {
    OPWStream *stream = context;
    const uint32_t i = place(stream, buffer);
    if (i < OPWMostBuffers) {
        if (stream->isDequeued[i] && buffer->user_data) OPWMemoryKeepBusy(buffer->user_data, buffer->buffer);
        stream->buffers[i] = NULL;
        stream->bufferCount--;
    }
    if (buffer->user_data) OPWMemoryRelease(buffer->user_data);
    buffer->user_data = NULL;
}

static const struct pw_stream_events events = {
    PW_VERSION_STREAM_EVENTS,
    .state_changed = onState,
    .param_changed = onParameter,
    .add_buffer = onAddBuffer,
    .remove_buffer = onRemoveBuffer,
};

// MARK: Making

static OPWStream *makeStream(OPWClient *client, const struct spa_dict *properties, int *error) {
    OPWStream *stream = calloc(1, sizeof *stream);
    if (!stream) {
        *error = -ENOMEM;
        return NULL;
    }
    stream->stream =
        library.pw_stream_new(client->core, "capture", library.pw_properties_new_dict(properties));
    if (!stream->stream) {
        *error = -errno;
        free(stream);
        return NULL;
    }
    library.pw_stream_add_listener(stream->stream, &stream->listener, &events, stream);
    return stream;
}

/// Connects with no other node than the target: if it is gone, the stream is not linked with another one.
///
/// Not with PW_STREAM_FLAG_RT_PROCESS, with which the node runs on a data thread, synchronously. Sound would then have a
/// single buffer (from PipeWire 0.3.83 on), and lose every second one; and while this thread is late, a producer that
/// overwrites held buffers would queue the same buffer again and again.
static OPWStream *connected(OPWStream *stream, const struct spa_pod *format, int *error) {
    const struct spa_pod *parameters[] = {format};
    const int status = library.pw_stream_connect(
        stream->stream, PW_DIRECTION_INPUT, PW_ID_ANY,
        PW_STREAM_FLAG_AUTOCONNECT | PW_STREAM_FLAG_DONT_RECONNECT, parameters, 1);
    if (status >= 0) return stream;
    *error = status;
    OPWStreamFree(stream);
    return NULL;
}

OPWStream *OPWVideoStreamMake(OPWClient *client, const char *target, const OPWVideoRequest *request, int *error) {
    const struct spa_dict_item items[] = {
        SPA_DICT_ITEM_INIT(PW_KEY_MEDIA_TYPE, "Video"), SPA_DICT_ITEM_INIT(PW_KEY_MEDIA_CATEGORY, "Capture"),
        SPA_DICT_ITEM_INIT(PW_KEY_MEDIA_ROLE, "Camera"), SPA_DICT_ITEM_INIT(PW_KEY_TARGET_OBJECT, target)};
    OPWStream *stream = makeStream(client, &SPA_DICT_INIT_ARRAY(items), error);
    if (!stream) return NULL;
    stream->wantedBuffers = SPA_CLAMP(request->bufferCount, 2u, (uint32_t)OPWMostBuffers);
    uint8_t bytes[1024];
    struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(bytes, sizeof bytes);
    struct spa_pod_frame frame;
    const struct spa_rectangle size = {request->width, request->height};
    spa_pod_builder_push_object(&builder, &frame, SPA_TYPE_OBJECT_Format, SPA_PARAM_EnumFormat);
    spa_pod_builder_add(
        &builder, SPA_FORMAT_mediaType, SPA_POD_Id(SPA_MEDIA_TYPE_video), SPA_FORMAT_mediaSubtype,
        SPA_POD_Id(request->subtype), SPA_FORMAT_VIDEO_size, SPA_POD_Rectangle(&size), 0);
    if (request->subtype == SPA_MEDIA_SUBTYPE_raw)
        spa_pod_builder_add(&builder, SPA_FORMAT_VIDEO_format, SPA_POD_Id(request->format), 0);
    if (request->hasModifier) {
        spa_pod_builder_prop(&builder, SPA_FORMAT_VIDEO_modifier, SPA_POD_PROP_FLAG_MANDATORY);
        // DRM_FORMAT_MOD_LINEAR.
        spa_pod_builder_long(&builder, 0);
    }
    if (request->rate.numerator > 0) {
        const struct spa_fraction rate = {request->rate.numerator, request->rate.denominator};
        spa_pod_builder_add(&builder, SPA_FORMAT_VIDEO_framerate, SPA_POD_Fraction(&rate), 0);
    }
    return connected(stream, spa_pod_builder_pop(&builder, &frame), error);
}

OPWStream *OPWSoundStreamMake(OPWClient *client, const char *target, const OPWSoundRequest *request, int *error) {
    char latency[64];
    snprintf(latency, sizeof latency, "%u/%u", request->period, request->sampleRate);
    const struct spa_dict_item items[] = {
        SPA_DICT_ITEM_INIT(PW_KEY_MEDIA_TYPE, "Audio"), SPA_DICT_ITEM_INIT(PW_KEY_MEDIA_CATEGORY, "Capture"),
        SPA_DICT_ITEM_INIT(PW_KEY_MEDIA_ROLE, "Production"), SPA_DICT_ITEM_INIT(PW_KEY_TARGET_OBJECT, target),
        SPA_DICT_ITEM_INIT(PW_KEY_NODE_LATENCY, latency),
        SPA_DICT_ITEM_INIT(PW_KEY_STREAM_CAPTURE_SINK, request->capturesSink ? "true" : "false")};
    OPWStream *stream = makeStream(client, &SPA_DICT_INIT_ARRAY(items), error);
    if (!stream) return NULL;
    uint8_t bytes[1024];
    struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(bytes, sizeof bytes);
    struct spa_audio_info_raw sound = {
        .format = SPA_AUDIO_FORMAT_F32, .rate = request->sampleRate, .channels = request->channelCount};
    if (sound.channels == 1) {
        sound.position[0] = SPA_AUDIO_CHANNEL_MONO;
    } else if (sound.channels == 2) {
        sound.position[0] = SPA_AUDIO_CHANNEL_FL;
        sound.position[1] = SPA_AUDIO_CHANNEL_FR;
    } else {
        sound.flags = SPA_AUDIO_FLAG_UNPOSITIONED;
    }
    return connected(stream, spa_format_audio_raw_build(&builder, SPA_PARAM_EnumFormat, &sound), error);
}

void OPWStreamFree(OPWStream *stream) {
    library.pw_stream_destroy(stream->stream);
    free(stream->message);
    free(stream);
}

// MARK: Use

OPWState OPWStreamState(OPWStream *stream) { return stream->state; }

const char *OPWStreamMessage(OPWStream *stream) { return stream->message; }

uint32_t OPWStreamFormat(OPWStream *stream, OPWFormat *format) {
    *format = stream->format;
    return stream->agreements;
}

uint32_t OPWStreamBufferCount(OPWStream *stream) { return stream->bufferCount; }

static void readMeta(const struct spa_buffer *buffer, OPWFrame *frame) {
    const struct spa_meta_header *header =
        spa_buffer_find_meta_data(buffer, SPA_META_Header, sizeof(struct spa_meta_header));
    if (header) {
        frame->hasHeader = true;
        frame->isCorrupted = header->flags & SPA_META_HEADER_FLAG_CORRUPTED;
        frame->time = header->pts;
        frame->sequence = header->seq;
    }
    const struct spa_meta_region *crop =
        spa_buffer_find_meta_data(buffer, SPA_META_VideoCrop, sizeof(struct spa_meta_region));
    if (crop && spa_meta_region_is_valid(crop)) {
        frame->hasCrop = true;
        frame->cropX = crop->region.position.x;
        frame->cropY = crop->region.position.y;
        frame->cropWidth = crop->region.size.width;
        frame->cropHeight = crop->region.size.height;
    }
    const struct spa_meta_videotransform *transform =
        spa_buffer_find_meta_data(buffer, SPA_META_VideoTransform, sizeof(struct spa_meta_videotransform));
    if (transform) frame->transform = transform->transform;
}

/// Reads where the frame lies in the memory. Nothing of it is beyond what is mapped.
static void readPlanes(const struct spa_buffer *buffer, OPWFrame *frame) {
    frame->planeCount = SPA_MIN(buffer->n_datas, (uint32_t)OPWMostPlanes);
    for (uint32_t i = 0; i < frame->planeCount; i++) {
        const struct spa_data *data = &buffer->datas[i];
        const uint32_t mapped = (uint32_t)SPA_MIN(OPWMemoryPart(frame->memory, i).byteCount, data->maxsize);
        if (!data->chunk || mapped == 0) continue;
        // The producer can change the chunk at any time, so each value is read once.
        const volatile struct spa_chunk *chunk = data->chunk;
        const uint32_t offset = chunk->offset % data->maxsize, size = chunk->size;
        const uint32_t begin = SPA_MIN(offset, mapped);
        frame->planes[i] = (OPWPlane){
            .offset = begin, .size = SPA_MIN(size, mapped - begin), .stride = chunk->stride};
        if (chunk->flags & SPA_CHUNK_FLAG_CORRUPTED) frame->isCorrupted = true;
    }
}

bool OPWStreamDequeue(OPWStream *stream, OPWFrame *frame) {
    struct pw_buffer *buffer = library.pw_stream_dequeue_buffer(stream->stream);
    if (!buffer) return false;
    *frame = (OPWFrame){.buffer = buffer, .time = -1};
    const uint32_t i = place(stream, buffer);
    if (i == OPWMostBuffers || !buffer->user_data) {
        library.pw_stream_queue_buffer(stream->stream, buffer);
        return false;
    }
    stream->isDequeued[i] = true;
    frame->place = i;
    frame->memory = buffer->user_data;
    readMeta(buffer->buffer, frame);
    readPlanes(buffer->buffer, frame);
    struct pw_time time = {0};
    if (stream->format.isAudio && library.pw_stream_get_time_n(stream->stream, &time, sizeof time) == 0) {
        frame->clockTime = time.now;
        frame->ticks = time.ticks;
        frame->delay = time.delay;
        frame->tickRate = (OPWFraction){time.rate.num, time.rate.denom};
        frame->pending = time.avail_buffers;
    }
    return true;
}

void OPWStreamQueue(OPWStream *stream, void *buffer, const OPWMemory *memory) {
    // A new format replaces all buffers while readers still hold old ones, and may reuse the addresses of the objects.
    const uint32_t i = place(stream, buffer);
    if (i == OPWMostBuffers || stream->buffers[i]->user_data != memory) return;
    stream->isDequeued[i] = false;
    library.pw_stream_queue_buffer(stream->stream, stream->buffers[i]);
}

#endif
