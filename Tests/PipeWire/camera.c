// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// A camera of PipeWire that does what a test wants.
//
//   camera NAME [--formats YUY2,NV12] [--sizes 640x480,320x240] [--rate N] [--property KEY=VALUE]…
//          [--header no] [--dma yes] [--memory short|shrinkable] [--malformed yes] [--overwrite yes] [--crop X,Y,WxH]
//          [--transform N] [--jpeg FILE]
//
// It reads commands from standard input, one per line, and ends at its end:
//
//   drop N       does not send the next N frames, but counts them
//   corrupt N    marks the next N frames as damaged
//   stall        sends nothing until `go`
//   go
//   size WxH     offers only this size from now on
//   unplug       disappears, and ends
//
// A frame waits for a buffer. PipeWire itself loses a frame if a reader has not woken up for the last one.
//
// It writes a line for each event: `ready` when its node exists, `format SUBTYPE FORMAT WxH` when it sends frames.
//
// Frame N of each stream has one color: Y = 16 + 7 N mod 200, Cb = 90, Cr = 160; or red 7 N mod 256, green 255 - red,
// blue 3 N mod 256, and 0 in the fourth byte.

// For memfd_create.
#define _GNU_SOURCE
#include <fcntl.h>
#include <pipewire/pipewire.h>
#include <spa/debug/types.h>
#include <spa/param/video/format-utils.h>
#include <spa/param/video/type-info.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MostChoices = 16, MostBuffers = 64 };

static struct {
    struct pw_main_loop *loop;
    struct pw_stream *stream;
    struct spa_source *timer;
    uint32_t formats[MostChoices], formatCount;
    struct spa_rectangle sizes[MostChoices];
    uint32_t sizeCount, rate;
    bool hasHeader, isDMA, isShort, isShrinkable, isMalformed, overwrites, hasCrop, isStalled, isReady;
    struct spa_region crop;
    uint32_t transform;
    uint8_t *jpeg;
    uint32_t jpegCount;
    struct spa_video_info_raw format;
    bool isJPEG;
    uint64_t sequence;
    int dropsLeft, corruptLeft;
    struct pw_buffer *buffers[MostBuffers];
    uint32_t bufferCount, nextBuffer;
} camera = {.rate = 30, .hasHeader = true};

static void fail(const char *what) {
    fprintf(stderr, "camera: %s\n", what);
    exit(2);
}

// MARK: Pictures

static int planeCount(void) {
    switch (camera.format.format) {
    case SPA_VIDEO_FORMAT_NV12:
    case SPA_VIDEO_FORMAT_NV21: return 2;
    case SPA_VIDEO_FORMAT_I420:
    case SPA_VIDEO_FORMAT_YV12: return 3;
    default: return 1;
    }
}

/// The bytes of one pixel, or of two pixels of a 4:2:2 format.
static uint32_t unit(uint8_t *bytes) {
    const uint8_t y = (uint8_t)(16 + 7 * camera.sequence % 200), cb = 90, cr = 160;
    const uint8_t r = (uint8_t)(7 * camera.sequence), g = (uint8_t)(255 - r), b = (uint8_t)(3 * camera.sequence);
#define BYTES(...)                                                                                             \
    {                                                                                                          \
        const uint8_t list[] = {__VA_ARGS__};                                                                  \
        memcpy(bytes, list, sizeof list);                                                                      \
        return sizeof list;                                                                                    \
    }
    switch (camera.format.format) {
    case SPA_VIDEO_FORMAT_YUY2: BYTES(y, cb, y, cr)
    case SPA_VIDEO_FORMAT_UYVY: BYTES(cb, y, cr, y)
    case SPA_VIDEO_FORMAT_YVYU: BYTES(y, cr, y, cb)
    case SPA_VIDEO_FORMAT_RGB: BYTES(r, g, b)
    case SPA_VIDEO_FORMAT_BGR: BYTES(b, g, r)
    case SPA_VIDEO_FORMAT_RGBA: BYTES(r, g, b, 255)
    case SPA_VIDEO_FORMAT_BGRA: BYTES(b, g, r, 255)
    case SPA_VIDEO_FORMAT_ARGB: BYTES(255, r, g, b)
    case SPA_VIDEO_FORMAT_ABGR: BYTES(255, b, g, r)
    case SPA_VIDEO_FORMAT_RGBx: BYTES(r, g, b, 0)
    case SPA_VIDEO_FORMAT_BGRx: BYTES(b, g, r, 0)
    case SPA_VIDEO_FORMAT_xRGB: BYTES(0, r, g, b)
    case SPA_VIDEO_FORMAT_xBGR: BYTES(0, b, g, r)
    default: BYTES(y)
    }
#undef BYTES
}

/// The bytes of a row of the first plane.
static uint32_t rowBytes(void) {
    uint8_t bytes[4];
    const uint32_t count = unit(bytes);
    const bool isPair = camera.format.format == SPA_VIDEO_FORMAT_YUY2 || camera.format.format == SPA_VIDEO_FORMAT_UYVY ||
                        camera.format.format == SPA_VIDEO_FORMAT_YVYU;
    return isPair ? camera.format.size.width * 2 : camera.format.size.width * count;
}

static uint32_t frameBytes(void) {
    if (camera.isJPEG) return camera.jpegCount;
    const uint32_t luma = rowBytes() * camera.format.size.height;
    return planeCount() == 1 ? luma : luma * 3 / 2;
}

static void draw(uint8_t *bytes) {
    if (camera.isJPEG) {
        memcpy(bytes, camera.jpeg, camera.jpegCount);
        return;
    }
    uint8_t one[4];
    const uint32_t count = unit(one), luma = rowBytes() * camera.format.size.height;
    for (uint32_t i = 0; i < luma; i++) bytes[i] = one[i % count];
    const uint32_t chroma = luma / 4;
    switch (camera.format.format) {
    case SPA_VIDEO_FORMAT_NV12:
    case SPA_VIDEO_FORMAT_NV21: {
        const bool isSwapped = camera.format.format == SPA_VIDEO_FORMAT_NV21;
        for (uint32_t i = 0; i < chroma * 2; i++) bytes[luma + i] = (i % 2 == 1) == isSwapped ? 90 : 160;
        break;
    }
    case SPA_VIDEO_FORMAT_I420:
    case SPA_VIDEO_FORMAT_YV12: {
        const bool isSwapped = camera.format.format == SPA_VIDEO_FORMAT_YV12;
        memset(bytes + luma, isSwapped ? 160 : 90, chroma);
        memset(bytes + luma + chroma, isSwapped ? 90 : 160, chroma);
        break;
    }
    default: break;
    }
}

// MARK: Formats

/// A format whose choice of sizes ends before its values. The last property has the key and the flags that such a choice
/// needs there.
static const struct spa_pod *malformed(void) {
    static const uint32_t words[] = {
        26 * 4, SPA_TYPE_Object, SPA_TYPE_OBJECT_Format, SPA_PARAM_EnumFormat,
        SPA_FORMAT_mediaType, 0, 4, SPA_TYPE_Id, SPA_MEDIA_TYPE_video, 0,
        SPA_FORMAT_mediaSubtype, 0, 4, SPA_TYPE_Id, SPA_MEDIA_SUBTYPE_mjpg, 0,
        SPA_FORMAT_VIDEO_size, 0, 8, SPA_TYPE_Choice, SPA_CHOICE_Enum, 0,
        sizeof(struct spa_rectangle), SPA_TYPE_Rectangle, 4, SPA_TYPE_Id, 0, 0,
    };
    return (const struct spa_pod *)words;
}

static uint32_t offers(struct spa_pod_builder *builder, const struct spa_pod **pods) {
    uint32_t count = 0;
    const struct spa_fraction rate = {camera.rate, 1};
    for (uint32_t f = 0; f < camera.formatCount; f++)
        for (uint32_t s = 0; s < camera.sizeCount; s++)
            pods[count++] = spa_pod_builder_add_object(
                builder, SPA_TYPE_OBJECT_Format, SPA_PARAM_EnumFormat, SPA_FORMAT_mediaType,
                SPA_POD_Id(SPA_MEDIA_TYPE_video), SPA_FORMAT_mediaSubtype, SPA_POD_Id(SPA_MEDIA_SUBTYPE_raw),
                SPA_FORMAT_VIDEO_format, SPA_POD_Id(camera.formats[f]), SPA_FORMAT_VIDEO_size,
                SPA_POD_Rectangle(&camera.sizes[s]), SPA_FORMAT_VIDEO_framerate, SPA_POD_Fraction(&rate));
    if (camera.jpeg)
        for (uint32_t s = 0; s < camera.sizeCount; s++)
            pods[count++] = spa_pod_builder_add_object(
                builder, SPA_TYPE_OBJECT_Format, SPA_PARAM_EnumFormat, SPA_FORMAT_mediaType,
                SPA_POD_Id(SPA_MEDIA_TYPE_video), SPA_FORMAT_mediaSubtype, SPA_POD_Id(SPA_MEDIA_SUBTYPE_mjpg),
                SPA_FORMAT_VIDEO_size, SPA_POD_Rectangle(&camera.sizes[s]), SPA_FORMAT_VIDEO_framerate,
                SPA_POD_Fraction(&rate));
    if (camera.isMalformed) pods[count++] = malformed();
    return count;
}

static const struct spa_pod *meta(struct spa_pod_builder *builder, uint32_t type, uint32_t byteCount) {
    return spa_pod_builder_add_object(
        builder, SPA_TYPE_OBJECT_ParamMeta, SPA_PARAM_Meta, SPA_PARAM_META_type, SPA_POD_Id(type),
        SPA_PARAM_META_size, SPA_POD_Int(byteCount));
}

static void onFormat(void *context, uint32_t id, const struct spa_pod *pod) {
    (void)context;
    uint32_t type, subtype;
    if (id != SPA_PARAM_Format || !pod || spa_format_parse(pod, &type, &subtype) < 0) return;
    camera.isJPEG = subtype == SPA_MEDIA_SUBTYPE_mjpg;
    if (camera.isJPEG) {
        spa_pod_parse_object(
            pod, SPA_TYPE_OBJECT_Format, NULL, SPA_FORMAT_VIDEO_size, SPA_POD_Rectangle(&camera.format.size));
    } else {
        spa_format_video_raw_parse(pod, &camera.format);
    }
    uint8_t bytes[2048];
    struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(bytes, sizeof bytes);
    const struct spa_pod *pods[4];
    uint32_t count = 0;
    const int types = camera.isDMA ? 1 << SPA_DATA_DmaBuf : 1 << SPA_DATA_MemFd | 1 << SPA_DATA_MemPtr;
    pods[count++] = spa_pod_builder_add_object(
        &builder, SPA_TYPE_OBJECT_ParamBuffers, SPA_PARAM_Buffers, SPA_PARAM_BUFFERS_buffers,
        SPA_POD_CHOICE_RANGE_Int(8, 2, MostBuffers), SPA_PARAM_BUFFERS_blocks, SPA_POD_Int(1),
        SPA_PARAM_BUFFERS_size, SPA_POD_Int(frameBytes()), SPA_PARAM_BUFFERS_stride,
        SPA_POD_Int(camera.isJPEG ? 0 : rowBytes()), SPA_PARAM_BUFFERS_dataType, SPA_POD_CHOICE_FLAGS_Int(types));
    if (camera.hasHeader) pods[count++] = meta(&builder, SPA_META_Header, sizeof(struct spa_meta_header));
    if (camera.hasCrop) pods[count++] = meta(&builder, SPA_META_VideoCrop, sizeof(struct spa_meta_region));
    if (camera.transform)
        pods[count++] = meta(&builder, SPA_META_VideoTransform, sizeof(struct spa_meta_videotransform));
    pw_stream_update_params(camera.stream, pods, count);
    printf("format %#x %u %ux%u\n", subtype, camera.isJPEG ? 0 : camera.format.format, camera.format.size.width,
           camera.format.size.height);
    fflush(stdout);
}

// MARK: Buffers

static void onAddBuffer(void *context, struct pw_buffer *buffer) {
    (void)context;
    if (camera.bufferCount < MostBuffers) camera.buffers[camera.bufferCount++] = buffer;
    if (!camera.isDMA) return;
    // The test machine has no DMA-BUF, but its way through PipeWire is that of any descriptor.
    struct spa_data *data = &buffer->buffer->datas[0];
    const int descriptor = memfd_create("camera", camera.isShrinkable ? MFD_CLOEXEC : MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (descriptor < 0 || ftruncate(descriptor, camera.isShort ? 1 : frameBytes()) < 0) fail("no memory");
    data->type = SPA_DATA_DmaBuf;
    data->flags = SPA_DATA_FLAG_READWRITE;
    data->fd = descriptor;
    data->mapoffset = 0;
    data->maxsize = frameBytes();
    data->data = camera.isShort
                     ? mmap(NULL, data->maxsize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                     : mmap(NULL, data->maxsize, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
}

static void onRemoveBuffer(void *context, struct pw_buffer *buffer) {
    (void)context;
    camera.bufferCount = camera.nextBuffer = 0;
    if (!camera.isDMA) return;
    struct spa_data *data = &buffer->buffer->datas[0];
    munmap(data->data, data->maxsize);
    close((int)data->fd);
}

/// The next buffer: one that the reader has returned, or one after the other, whoever holds it.
static struct pw_buffer *nextBuffer(void) {
    struct pw_buffer *returned = pw_stream_dequeue_buffer(camera.stream);
    if (!camera.overwrites || camera.bufferCount == 0) return returned;
    return camera.buffers[camera.nextBuffer++ % camera.bufferCount];
}

/// Returns false if the reader has all buffers.
static bool send(void) {
    struct pw_buffer *buffer = nextBuffer();
    if (!buffer) return false;
    struct spa_buffer *memory = buffer->buffer;
    struct spa_data *data = &memory->datas[0];
    draw(data->data);
    *data->chunk = (struct spa_chunk){
        .size = frameBytes(), .stride = camera.isJPEG ? 0 : (int32_t)rowBytes()};
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    struct spa_meta_header *header = spa_buffer_find_meta_data(memory, SPA_META_Header, sizeof *header);
    if (header)
        *header = (struct spa_meta_header){
            .flags = camera.corruptLeft > 0 ? SPA_META_HEADER_FLAG_CORRUPTED : 0, .pts = SPA_TIMESPEC_TO_NSEC(&now),
            .seq = camera.sequence};
    if (camera.corruptLeft > 0) camera.corruptLeft--;
    struct spa_meta_region *crop = spa_buffer_find_meta_data(memory, SPA_META_VideoCrop, sizeof *crop);
    if (crop) crop->region = camera.crop;
    struct spa_meta_videotransform *transform =
        spa_buffer_find_meta_data(memory, SPA_META_VideoTransform, sizeof *transform);
    if (transform) transform->transform = camera.transform;
    pw_stream_queue_buffer(camera.stream, buffer);
    return true;
}

static void onTimer(void *context, uint64_t expirations) {
    (void)context, (void)expirations;
    if (camera.isStalled) return;
    if (camera.dropsLeft > 0) {
        camera.dropsLeft--;
        camera.sequence++;
    } else if (send()) {
        camera.sequence++;
    }
    // Also without a frame: a cycle of the graph brings back the buffers that the reader has returned.
    pw_stream_trigger_process(camera.stream);
}

// MARK: Life

static void onState(void *context, enum pw_stream_state old, enum pw_stream_state state, const char *message) {
    (void)context, (void)old;
    struct pw_loop *loop = pw_main_loop_get_loop(camera.loop);
    if (state == PW_STREAM_STATE_ERROR) fail(message ? message : "the stream has failed");
    if (state == PW_STREAM_STATE_PAUSED && !camera.isReady) {
        camera.isReady = true;
        printf("ready\n");
        fflush(stdout);
    }
    struct timespec interval = {0, state == PW_STREAM_STATE_STREAMING ? 1000000000L / camera.rate : 0};
    struct timespec first = {0, interval.tv_nsec ? 1 : 0};
    pw_loop_update_timer(loop, camera.timer, &first, &interval, false);
}

static const struct pw_stream_events events = {
    PW_VERSION_STREAM_EVENTS,
    .state_changed = onState,
    .param_changed = onFormat,
    .add_buffer = onAddBuffer,
    .remove_buffer = onRemoveBuffer,
};

static void offerSize(struct spa_rectangle size) {
    camera.sizes[0] = size;
    camera.sizeCount = 1;
    uint8_t bytes[8192];
    struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(bytes, sizeof bytes);
    const struct spa_pod *pods[MostChoices * MostChoices];
    pw_stream_update_params(camera.stream, pods, offers(&builder, pods));
}

static void obey(const char *line) {
    struct spa_rectangle size;
    if (sscanf(line, "drop %d", &camera.dropsLeft) == 1) return;
    if (sscanf(line, "corrupt %d", &camera.corruptLeft) == 1) return;
    if (sscanf(line, "size %ux%u", &size.width, &size.height) == 2) return offerSize(size);
    if (!strncmp(line, "stall", 5)) camera.isStalled = true;
    if (!strncmp(line, "go", 2)) camera.isStalled = false;
    if (!strncmp(line, "unplug", 6)) pw_main_loop_quit(camera.loop);
}

static void onInput(void *context, int descriptor, uint32_t mask) {
    (void)context, (void)mask;
    static char text[4096];
    static size_t count;
    const ssize_t got = read(descriptor, text + count, sizeof text - count - 1);
    if (got <= 0) {
        pw_main_loop_quit(camera.loop);
        return;
    }
    count += (size_t)got;
    for (char *end; (end = memchr(text, '\n', count));) {
        *end = 0;
        obey(text);
        count -= (size_t)(end + 1 - text);
        memmove(text, end + 1, count);
    }
}

// MARK: Arguments

static void readFormats(char *list) {
    camera.formatCount = 0;
    for (char *name = strtok(list, ","); name; name = strtok(NULL, ",")) {
        for (const struct spa_type_info *type = spa_type_video_format; type->name; type++)
            if (!strcmp(spa_debug_type_short_name(type->name), name) && camera.formatCount < MostChoices)
                camera.formats[camera.formatCount++] = type->type;
    }
}

static void readSizes(char *list) {
    camera.sizeCount = 0;
    for (char *text = strtok(list, ","); text && camera.sizeCount < MostChoices; text = strtok(NULL, ",")) {
        struct spa_rectangle *size = &camera.sizes[camera.sizeCount++];
        if (sscanf(text, "%ux%u", &size->width, &size->height) != 2) fail("a size is WxH");
    }
}

static void readJPEG(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) fail("the JPEG file cannot be read");
    fseek(file, 0, SEEK_END);
    camera.jpegCount = (uint32_t)ftell(file);
    rewind(file);
    camera.jpeg = malloc(camera.jpegCount);
    if (!camera.jpeg || fread(camera.jpeg, 1, camera.jpegCount, file) != camera.jpegCount) fail("no JPEG");
    fclose(file);
}

static void readArgument(const char *name, char *value, struct pw_properties *properties) {
    const bool isYes = !strcmp(value, "yes");
    if (!strcmp(name, "--formats")) {
        readFormats(value);
    } else if (!strcmp(name, "--sizes")) {
        readSizes(value);
    } else if (!strcmp(name, "--rate")) {
        camera.rate = (uint32_t)atoi(value);
    } else if (!strcmp(name, "--header")) {
        camera.hasHeader = isYes;
    } else if (!strcmp(name, "--dma")) {
        camera.isDMA = isYes;
    } else if (!strcmp(name, "--memory")) {
        camera.isShort = !strcmp(value, "short");
        camera.isShrinkable = !strcmp(value, "shrinkable");
    } else if (!strcmp(name, "--malformed")) {
        camera.isMalformed = isYes;
    } else if (!strcmp(name, "--overwrite")) {
        camera.overwrites = isYes;
    } else if (!strcmp(name, "--transform")) {
        camera.transform = (uint32_t)atoi(value);
    } else if (!strcmp(name, "--jpeg")) {
        readJPEG(value);
    } else if (!strcmp(name, "--crop")) {
        camera.hasCrop = sscanf(value, "%d,%d,%ux%u", &camera.crop.position.x, &camera.crop.position.y,
                                &camera.crop.size.width, &camera.crop.size.height) == 4;
    } else if (!strcmp(name, "--property") && strchr(value, '=')) {
        char *sign = strchr(value, '=');
        *sign = 0;
        pw_properties_set(properties, value, sign + 1);
    } else {
        fail(name);
    }
}

int main(int count, char **arguments) {
    pw_init(&count, &arguments);
    if (count < 2) fail("its name is missing");
    camera.formats[0] = SPA_VIDEO_FORMAT_YUY2;
    camera.formatCount = 1;
    camera.sizes[0] = SPA_RECTANGLE(640, 480);
    camera.sizeCount = 1;
    struct pw_properties *properties = pw_properties_new(
        PW_KEY_MEDIA_CLASS, "Video/Source", PW_KEY_MEDIA_ROLE, "Camera", PW_KEY_NODE_NAME, arguments[1],
        PW_KEY_NODE_DESCRIPTION, arguments[1], NULL);
    for (int i = 2; i + 1 < count; i += 2) readArgument(arguments[i], arguments[i + 1], properties);
    camera.loop = pw_main_loop_new(NULL);
    struct pw_loop *loop = pw_main_loop_get_loop(camera.loop);
    pw_loop_add_io(loop, STDIN_FILENO, SPA_IO_IN | SPA_IO_HUP, false, onInput, NULL);
    camera.timer = pw_loop_add_timer(loop, onTimer, NULL);
    camera.stream = pw_stream_new_simple(loop, arguments[1], properties, &events, NULL);
    if (!camera.stream) fail("PipeWire cannot be reached");
    uint8_t bytes[8192];
    struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(bytes, sizeof bytes);
    const struct spa_pod *pods[MostChoices * MostChoices];
    const enum pw_stream_flags flags = PW_STREAM_FLAG_DRIVER | PW_STREAM_FLAG_MAP_BUFFERS;
    if (pw_stream_connect(
            camera.stream, PW_DIRECTION_OUTPUT, PW_ID_ANY,
            camera.isDMA ? flags | PW_STREAM_FLAG_ALLOC_BUFFERS : flags, pods, offers(&builder, pods)) < 0)
        fail("its stream cannot be connected");
    pw_main_loop_run(camera.loop);
    pw_stream_destroy(camera.stream);
    pw_main_loop_destroy(camera.loop);
    pw_deinit();
    return 0;
}
