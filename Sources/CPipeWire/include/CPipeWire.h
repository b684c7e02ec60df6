// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// A client of PipeWire: the nodes of a daemon, and streams of their frames and sound.
//
// libpipewire is loaded on first use, so that a program starts without it. Nothing is called back except by
// `visit`, during the call. Everything else is read by the caller: wait until the client's descriptor is readable, call
// `iterate`, then look at the objects.
//
// A client and its streams belong to the thread that made the client. Memory can be released on any thread.
#ifndef OBSCURA_PIPEWIRE_H
#define OBSCURA_PIPEWIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#pragma clang assume_nonnull begin

enum { OPWMostPlanes = 4, OPWMostBuffers = 64 };

/// SPA_MEDIA_SUBTYPE_*, as in spa/param/format.h.
enum {
    OPWSubtypeRaw = 0x1,
    OPWSubtypeH264 = 0x20001,
    OPWSubtypeMJPEG = 0x20002,
};

/// SPA_VIDEO_FORMAT_*, as in spa/param/video/raw.h: the order of the bytes in memory.
enum {
    OPWFormatI420 = 2,
    OPWFormatYV12 = 3,
    OPWFormatYUY2 = 4,
    OPWFormatUYVY = 5,
    OPWFormatRGBx = 7,
    OPWFormatBGRx = 8,
    OPWFormatxRGB = 9,
    OPWFormatxBGR = 10,
    OPWFormatRGBA = 11,
    OPWFormatBGRA = 12,
    OPWFormatARGB = 13,
    OPWFormatABGR = 14,
    OPWFormatRGB = 15,
    OPWFormatBGR = 16,
    OPWFormatY42B = 18,
    OPWFormatYVYU = 19,
    OPWFormatY444 = 20,
    OPWFormatNV12 = 23,
    OPWFormatNV21 = 24,
    OPWFormatGRAY8 = 25,
    OPWFormatI42010LE = 43,
    OPWFormatI42210LE = 45,
    OPWFormatY44410LE = 47,
    OPWFormatNV16 = 51,
};

typedef struct OPWClient OPWClient;
typedef struct OPWStream OPWStream;
/// The memory of one buffer, mapped for reading. Stays mapped after its stream has ended, until the last release.
typedef struct OPWMemory OPWMemory;

typedef struct {
    uint32_t numerator, denominator;
} OPWFraction;

/// A node or device with its properties.
typedef struct {
    uint32_t id;
    bool isDevice;
    uint32_t propertyCount;
    const char *_Nonnull const *_Nonnull keys;
    const char *_Nonnull const *_Nonnull values;
} OPWObject;

/// A video format that a node offers, with sizes in pixels. A range has two different sizes, and a step.
typedef struct {
    /// SPA_MEDIA_SUBTYPE_*.
    uint32_t subtype;
    /// SPA_VIDEO_FORMAT_*; 0 if compressed.
    uint32_t format;
    uint32_t minWidth, minHeight, maxWidth, maxHeight, stepWidth, stepHeight;
    /// Frames per second; the ends of a range if `ratesAreRange`. Empty if the node names none.
    const OPWFraction *_Nullable rates;
    uint32_t rateCount;
    bool ratesAreRange;
    /// Whether the format exists only with a DRM modifier, for DMA-BUF.
    bool needsModifier;
} OPWOffer;

typedef enum __attribute__((enum_extensibility(closed))) {
    OPWStateFailed = -1,
    OPWStateUnconnected = 0,
    OPWStateConnecting = 1,
    OPWStatePaused = 2,
    OPWStateStreaming = 3,
} OPWState;

typedef struct {
    uint32_t subtype, format, width, height;
    /// Frames per second; the numerator is 0 for any rate.
    OPWFraction rate;
    /// Whether to ask for a linear layout by its DRM modifier.
    bool hasModifier;
    uint32_t bufferCount;
} OPWVideoRequest;

typedef struct {
    /// The format is 32-bit floating point, interleaved.
    uint32_t sampleRate, channelCount;
    /// The number of sample frames in a period.
    uint32_t period;
    /// Whether the target is a sink, of which the sound that it plays is captured.
    bool capturesSink;
} OPWSoundRequest;

/// The agreed format of a stream.
typedef struct {
    bool isAudio;
    uint32_t subtype, format, width, height;
    OPWFraction rate;
    /// SPA_VIDEO_COLOR_*; 0 if unknown.
    uint32_t colorRange, colorMatrix, colorTransfer, colorPrimaries;
    uint32_t sampleRate, channelCount;
} OPWFormat;

/// The part of a frame in one area of a memory, in bytes, within what is mapped. The stride is 0 if the producer names
/// none.
typedef struct {
    uint32_t offset, size;
    int32_t stride;
} OPWPlane;

/// A filled buffer.
typedef struct {
    /// For `queue`; never NULL after `dequeue` has returned true.
    void *_Nullable buffer;
    /// The place of the buffer among those of its stream, below OPWMostBuffers.
    uint32_t place;
    OPWMemory *_Nullable memory;
    bool hasHeader, isCorrupted;
    /// Nanoseconds on CLOCK_MONOTONIC; negative if unknown.
    int64_t time;
    uint64_t sequence;
    bool hasCrop;
    int32_t cropX, cropY;
    uint32_t cropWidth, cropHeight;
    /// SPA_META_TRANSFORMATION_*.
    uint32_t transform;
    /// The graph's clock for sound: the time of `ticks` in nanoseconds, ticks of `tickRate` seconds, and the delay of the
    /// samples in ticks. The time is 0 if there is no clock.
    int64_t clockTime;
    uint64_t ticks;
    int64_t delay;
    OPWFraction tickRate;
    /// The number of buffers that can still be dequeued. The clock is that of the last one.
    uint32_t pending;
    uint32_t planeCount;
    OPWPlane planes[OPWMostPlanes];
} OPWFrame;

static inline OPWPlane OPWFramePlane(const OPWFrame *frame, uint32_t index) { return frame->planes[index]; }

/// Returns whether two frames have the same planes.
static inline bool OPWHaveSamePlanes(const OPWFrame *a, const OPWFrame *b) {
    return a->planeCount == b->planeCount && !memcmp(a->planes, b->planes, a->planeCount * sizeof *a->planes);
}

/// One area of a memory.
typedef struct {
    const void *_Nullable base;
    size_t byteCount;
    /// A DMA-BUF descriptor that the memory owns; -1 for other memory.
    int descriptor;
} OPWPart;

typedef void (*OPWObjectVisitor)(void *context, const OPWObject *object);
typedef void (*OPWOfferVisitor)(void *context, uint32_t node, const OPWOffer *offer);

/// All functions. Those that return `int` return 0 or a negative errno.
typedef struct {
    /// The version of the library.
    const char *_Nonnull (*_Nonnull version)(void);

    /// Connects to a daemon. The client owns `descriptor`, even if the call fails; for -1 it connects to the user's
    /// daemon. Returns NULL and a negative errno in `error` on failure.
    OPWClient *_Nullable (*_Nonnull makeClient)(int descriptor, const char *name, int *error);
    void (*_Nonnull freeClient)(OPWClient *client);
    int (*_Nonnull clientDescriptor)(OPWClient *client);
    /// Handles what has arrived, without waiting. Fails with -EPIPE once the daemon is gone.
    int (*_Nonnull iterate)(OPWClient *client);
    /// Whether all objects that exist, with their properties and formats, were received.
    bool (*_Nonnull isComplete)(OPWClient *client);
    /// Whether a session manager, which links streams with nodes, has registered its settings.
    bool (*_Nonnull hasSessionManager)(OPWClient *client);
    /// The number of objects that have been removed so far.
    uint32_t (*_Nonnull removalCount)(OPWClient *client);
    void (*_Nonnull visit)(OPWClient *client, void *context, OPWObjectVisitor object, OPWOfferVisitor offer);

    /// `target` is the serial number of a node. The client's descriptor becomes readable when a buffer arrives.
    OPWStream *_Nullable (*_Nonnull makeVideoStream)(
        OPWClient *client, const char *target, const OPWVideoRequest *request, int *error);
    OPWStream *_Nullable (*_Nonnull makeSoundStream)(
        OPWClient *client, const char *target, const OPWSoundRequest *request, int *error);
    void (*_Nonnull freeStream)(OPWStream *stream);
    OPWState (*_Nonnull streamState)(OPWStream *stream);
    /// The daemon's words for a stream that has failed.
    const char *_Nullable (*_Nonnull streamMessage)(OPWStream *stream);
    /// Writes the agreed format. Returns a number that differs for each agreement, 0 before the first one.
    uint32_t (*_Nonnull streamFormat)(OPWStream *stream, OPWFormat *format);
    uint32_t (*_Nonnull bufferCount)(OPWStream *stream);
    bool (*_Nonnull dequeue)(OPWStream *stream, OPWFrame *frame);
    /// Returns a buffer to the producer. Ignores one that the stream no longer has, or now has with another memory.
    void (*_Nonnull queue)(OPWStream *stream, void *buffer, const OPWMemory *memory);

    void (*_Nonnull retainMemory)(OPWMemory *memory);
    void (*_Nonnull releaseMemory)(OPWMemory *memory);
    uint32_t (*_Nonnull partCount)(const OPWMemory *memory);
    OPWPart (*_Nonnull part)(const OPWMemory *memory, uint32_t index);
    /// Begins or ends reading: makes the caches of the processor agree with those of a device (DMA-BUF).
    void (*_Nonnull markReading)(const OPWMemory *memory, bool begins);
} OPWFunctions;

/// Loads the library, once. Returns NULL if it is missing, too old, or this was built without it; `reason` is then the
/// end of a sentence that begins with "PipeWire".
const OPWFunctions *_Nullable OPWLoad(const char *_Nullable *_Nonnull reason);

#pragma clang assume_nonnull end
#endif
