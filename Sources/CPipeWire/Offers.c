// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// Reads formats.

#include "library.h"

#if OBSCURA_PIPEWIRE

#include <spa/param/audio/format-utils.h>
#include <spa/param/video/format-utils.h>
#include <string.h>

// The header repeats these numbers, since it needs no header of PipeWire.
_Static_assert((int)OPWSubtypeRaw == (int)SPA_MEDIA_SUBTYPE_raw, "");
_Static_assert((int)OPWSubtypeH264 == (int)SPA_MEDIA_SUBTYPE_h264, "");
_Static_assert((int)OPWSubtypeMJPEG == (int)SPA_MEDIA_SUBTYPE_mjpg, "");
_Static_assert((int)OPWFormatI420 == (int)SPA_VIDEO_FORMAT_I420, "");
_Static_assert((int)OPWFormatYV12 == (int)SPA_VIDEO_FORMAT_YV12, "");
_Static_assert((int)OPWFormatYUY2 == (int)SPA_VIDEO_FORMAT_YUY2, "");
_Static_assert((int)OPWFormatUYVY == (int)SPA_VIDEO_FORMAT_UYVY, "");
_Static_assert((int)OPWFormatRGBx == (int)SPA_VIDEO_FORMAT_RGBx, "");
_Static_assert((int)OPWFormatBGRx == (int)SPA_VIDEO_FORMAT_BGRx, "");
_Static_assert((int)OPWFormatxRGB == (int)SPA_VIDEO_FORMAT_xRGB, "");
_Static_assert((int)OPWFormatxBGR == (int)SPA_VIDEO_FORMAT_xBGR, "");
_Static_assert((int)OPWFormatRGBA == (int)SPA_VIDEO_FORMAT_RGBA, "");
_Static_assert((int)OPWFormatBGRA == (int)SPA_VIDEO_FORMAT_BGRA, "");
_Static_assert((int)OPWFormatARGB == (int)SPA_VIDEO_FORMAT_ARGB, "");
_Static_assert((int)OPWFormatABGR == (int)SPA_VIDEO_FORMAT_ABGR, "");
_Static_assert((int)OPWFormatRGB == (int)SPA_VIDEO_FORMAT_RGB, "");
_Static_assert((int)OPWFormatBGR == (int)SPA_VIDEO_FORMAT_BGR, "");
_Static_assert((int)OPWFormatY42B == (int)SPA_VIDEO_FORMAT_Y42B, "");
_Static_assert((int)OPWFormatYVYU == (int)SPA_VIDEO_FORMAT_YVYU, "");
_Static_assert((int)OPWFormatY444 == (int)SPA_VIDEO_FORMAT_Y444, "");
_Static_assert((int)OPWFormatNV12 == (int)SPA_VIDEO_FORMAT_NV12, "");
_Static_assert((int)OPWFormatNV21 == (int)SPA_VIDEO_FORMAT_NV21, "");
_Static_assert((int)OPWFormatGRAY8 == (int)SPA_VIDEO_FORMAT_GRAY8, "");
_Static_assert((int)OPWFormatI42010LE == (int)SPA_VIDEO_FORMAT_I420_10LE, "");
_Static_assert((int)OPWFormatI42210LE == (int)SPA_VIDEO_FORMAT_I422_10LE, "");
_Static_assert((int)OPWFormatY44410LE == (int)SPA_VIDEO_FORMAT_Y444_10LE, "");
_Static_assert((int)OPWFormatNV16 == (int)SPA_VIDEO_FORMAT_NV16, "");

enum {
    MostRates = 64,
    /// Limit of the formats, and of the sizes, that one EnumFormat can make this process store.
    MostValues = 256,
};

bool OPWIsWellFormed(const struct spa_pod *pod) {
    if (!spa_pod_is_object(pod)) return false;
    const struct spa_pod_object *object = (const struct spa_pod_object *)pod;
    const struct spa_pod_prop *property;
    SPA_POD_OBJECT_FOREACH(object, property) {
        const struct spa_pod *value = &property->value;
        if (value->type == SPA_TYPE_Choice) {
            // SPA computes the number of values from these sizes without a check.
            const struct spa_pod_choice *choice = (const struct spa_pod_choice *)value;
            if (value->size < sizeof choice->body || choice->body.child.size > value->size - sizeof choice->body)
                return false;
        } else if (value->type == SPA_TYPE_Array) {
            // SPA copies the positions of channels with the size that the array names.
            const struct spa_pod_array *array = (const struct spa_pod_array *)value;
            if (value->size < sizeof array->body) return false;
            if (array->body.child.type == SPA_TYPE_Id && array->body.child.size != sizeof(uint32_t)) return false;
        }
    }
    return true;
}

/// The values of one property: alternatives, or a range (smallest, largest, and for a step range the step).
struct values {
    uint32_t count, byteCount;
    bool isRange;
    const char *bytes;
};

/// Returns the values of a property of a well-formed object. The first value of a choice is the default, and counts only if it is the only one.
static struct values valuesOf(const struct spa_pod *format, uint32_t key, uint32_t type, uint32_t byteCount) {
    const struct spa_pod_prop *property = spa_pod_find_prop(format, NULL, key);
    struct values values = {.byteCount = byteCount};
    if (!property) return values;
    uint32_t count = 0, choice = SPA_CHOICE_None;
    const struct spa_pod *pod = spa_pod_get_values(&property->value, &count, &choice);
    if (!pod || pod->type != type || pod->size < byteCount || count == 0) return values;
    values.bytes = SPA_POD_BODY_CONST(pod);
    values.isRange = (choice == SPA_CHOICE_Range || choice == SPA_CHOICE_Step) && count >= 3;
    const bool hasDefault = count > 1 && (values.isRange || choice == SPA_CHOICE_Enum);
    if (hasDefault) values.bytes += byteCount;
    values.count = choice == SPA_CHOICE_None ? 1 : SPA_MIN(count - (hasDefault ? 1 : 0), (uint32_t)MostValues);
    return values;
}

static void copyValue(const struct values *values, uint32_t index, void *value) {
    memcpy(value, values->bytes + (size_t)index * values->byteCount, values->byteCount);
}

static void visitSizes(OPWOffer offer, const struct spa_pod *pod, uint32_t node, void *context, OPWOfferVisitor visitor) {
    const struct values sizes =
        valuesOf(pod, SPA_FORMAT_VIDEO_size, SPA_TYPE_Rectangle, sizeof(struct spa_rectangle));
    struct spa_rectangle size = {0, 0}, largest, step = {1, 1};
    if (sizes.isRange) {
        copyValue(&sizes, 0, &size);
        copyValue(&sizes, 1, &largest);
        if (sizes.count > 2) copyValue(&sizes, 2, &step);
        offer.minWidth = size.width, offer.minHeight = size.height;
        offer.maxWidth = largest.width, offer.maxHeight = largest.height;
        offer.stepWidth = step.width, offer.stepHeight = step.height;
        visitor(context, node, &offer);
        return;
    }
    for (uint32_t i = 0; i < sizes.count; i++) {
        copyValue(&sizes, i, &size);
        offer.minWidth = offer.maxWidth = size.width;
        offer.minHeight = offer.maxHeight = size.height;
        offer.stepWidth = offer.stepHeight = 1;
        visitor(context, node, &offer);
    }
}

void OPWVisitOffers(const struct spa_pod *pod, uint32_t node, void *context, OPWOfferVisitor visitor) {
    OPWOffer offer = {0};
    uint32_t type = 0;
    if (!OPWIsWellFormed(pod)) return;
    if (spa_format_parse(pod, &type, &offer.subtype) < 0 || type != SPA_MEDIA_TYPE_video) return;
    offer.needsModifier = spa_pod_find_prop(pod, NULL, SPA_FORMAT_VIDEO_modifier) != NULL;
    const struct values rates =
        valuesOf(pod, SPA_FORMAT_VIDEO_framerate, SPA_TYPE_Fraction, sizeof(struct spa_fraction));
    OPWFraction list[MostRates];
    offer.rates = list;
    offer.ratesAreRange = rates.isRange;
    offer.rateCount = rates.isRange ? 2 : SPA_MIN(rates.count, (uint32_t)MostRates);
    for (uint32_t i = 0; i < offer.rateCount; i++) copyValue(&rates, i, &list[i]);
    if (offer.subtype != SPA_MEDIA_SUBTYPE_raw) {
        visitSizes(offer, pod, node, context, visitor);
        return;
    }
    const struct values formats = valuesOf(pod, SPA_FORMAT_VIDEO_format, SPA_TYPE_Id, sizeof(uint32_t));
    for (uint32_t i = 0; i < formats.count; i++) {
        copyValue(&formats, i, &offer.format);
        visitSizes(offer, pod, node, context, visitor);
    }
}

static void readRaw(const struct spa_video_info_raw *raw, OPWFormat *format) {
    format->format = raw->format;
    format->width = raw->size.width;
    format->height = raw->size.height;
    format->rate = (OPWFraction){raw->framerate.num, raw->framerate.denom};
    format->colorRange = raw->color_range;
    format->colorMatrix = raw->color_matrix;
    format->colorTransfer = raw->transfer_function;
    format->colorPrimaries = raw->color_primaries;
}

bool OPWReadFormat(const struct spa_pod *pod, OPWFormat *format) {
    uint32_t type = 0;
    *format = (OPWFormat){0};
    if (!OPWIsWellFormed(pod) || spa_format_parse(pod, &type, &format->subtype) < 0) return false;
    if (type == SPA_MEDIA_TYPE_audio) {
        struct spa_audio_info_raw sound = {0};
        if (spa_format_audio_raw_parse(pod, &sound) < 0) return false;
        format->isAudio = true;
        format->format = sound.format;
        format->sampleRate = sound.rate;
        format->channelCount = sound.channels;
        return true;
    }
    if (type != SPA_MEDIA_TYPE_video) return false;
    if (format->subtype == SPA_MEDIA_SUBTYPE_raw) {
        struct spa_video_info_raw raw = {0};
        if (spa_format_video_raw_parse(pod, &raw) < 0) return false;
        readRaw(&raw, format);
        return true;
    }
    struct spa_rectangle size = {0, 0};
    struct spa_fraction rate = {0, 1};
    if (spa_pod_parse_object(
            pod, SPA_TYPE_OBJECT_Format, NULL, SPA_FORMAT_VIDEO_size, SPA_POD_Rectangle(&size),
            SPA_FORMAT_VIDEO_framerate, SPA_POD_OPT_Fraction(&rate)) < 0)
        return false;
    format->width = size.width;
    format->height = size.height;
    format->rate = (OPWFraction){rate.num, rate.denom};
    return true;
}

#endif
