// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// The effects of every variant, included by each of them after kernels.h, whose register types they use. The including
// file defines PK_EFFECTS_TABLE, the name of the table to define.

// MARK: Byte by byte

/// The byte of a repeated pattern of four bytes for index `place` of a row.
PK_INLINE uint8_t patternByte(uint32_t pattern, size_t place) {
    return (uint8_t)(pattern >> 8 * (place & 3));
}

PK_INLINE Bytes spreadPattern(uint32_t pattern) {
    return (Bytes)((Quads){} + pattern);
}

static void mask(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride,
                 size_t rowBytes, size_t height, uint32_t kept, uint32_t flipped) {
    Bytes keep = spreadPattern(kept), flip = spreadPattern(flipped);
    for (size_t row = 0; row < height; row++, source += sourceStride, target += targetStride) {
        size_t x = 0;
        for (; x + 4 * sizeof(Bytes) <= rowBytes; x += 4 * sizeof(Bytes)) {
            Bytes bytes[4];
            memcpy(bytes, source + x, sizeof bytes);
            for (size_t i = 0; i < 4; i++) bytes[i] = (bytes[i] & keep) ^ flip;
            memcpy(target + x, bytes, sizeof bytes);
        }
        for (; x < rowBytes; x++)
            target[x] = (uint8_t)((source[x] & patternByte(kept, x)) ^ patternByte(flipped, x));
    }
}

static void reflect(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride,
                    size_t rowBytes, size_t height, uint32_t highest, uint32_t lowest) {
    Bytes high = spreadPattern(highest), low = spreadPattern(lowest);
    for (size_t row = 0; row < height; row++, source += sourceStride, target += targetStride) {
        size_t x = 0;
        for (; x + 4 * sizeof(Bytes) <= rowBytes; x += 4 * sizeof(Bytes)) {
            Bytes bytes[4];
            memcpy(bytes, source + x, sizeof bytes);
            for (size_t i = 0; i < 4; i++)
                bytes[i] = __builtin_elementwise_sub_sat(high, __builtin_elementwise_sub_sat(bytes[i], low));
            memcpy(target + x, bytes, sizeof bytes);
        }
        for (; x < rowBytes; x++) {
            int above = source[x] - patternByte(lowest, x);
            int mirrored = patternByte(highest, x) - (above > 0 ? above : 0);
            target[x] = (uint8_t)(mirrored > 0 ? mirrored : 0);
        }
    }
}

// MARK: Pixel by pixel

/// Runs `body` for every PK_QUADS pixels of a row; for the last pixels, in a copy.
#define PK_FOR_PIXELS(source, target, width, body)                                     \
    do {                                                                               \
        size_t x = 0;                                                                  \
        for (; x + PK_QUADS <= (width); x += PK_QUADS) {                               \
            const uint8_t *from = (source) + 4 * x;                                    \
            uint8_t *to = (target) + 4 * x;                                            \
            body                                                                       \
        }                                                                              \
        if (x < (width)) {                                                             \
            uint8_t from[4 * PK_QUADS] = {0}, to[4 * PK_QUADS] = {0};                  \
            memcpy(from, (source) + 4 * x, 4 * ((width) - x));                         \
            memcpy(to, (target) + 4 * x, 4 * ((width) - x));                           \
            body                                                                       \
            memcpy((target) + 4 * x, to, 4 * ((width) - x));                           \
        }                                                                              \
    } while (0)

/// One weighted sum of the bytes of each pixel, 0...255, in 32 bits.
PK_INLINE Quads sumOf(Channels channels, const Weights *weights) {
    Sums sum = (weighted(channels, weights) + weights->offset) >> 15;
    Sums zero = {};
    return (Quads)__builtin_elementwise_min(__builtin_elementwise_max(sum, zero), zero + 255);
}

static void combine(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride,
                    size_t width, size_t height, const PKWeights *given) {
    Weights weights[3] = {spread(given[0]), spread(given[1]), spread(given[2])};
    for (size_t row = 0; row < height; row++, source += sourceStride, target += targetStride) {
        PK_FOR_PIXELS(source, target, width, {
            Channels channels = loadPixels(from);
            Quads pixels = sumOf(channels, &weights[0]) | sumOf(channels, &weights[1]) << 8 |
                           sumOf(channels, &weights[2]) << 16 | ((Quads)channels.inner & 0xff0000) << 8;
            memcpy(to, &pixels, sizeof pixels);
        });
    }
}

/// Products of two bytes, divided by 255 and rounded; also correct for sums of products up to 255 x 255.
PK_INLINE UWords by255(UWords products) {
    products += 128;
    return (products + (products >> 8)) >> 8;
}

PK_INLINE void blendStep(const uint8_t *from, uint8_t *to, uint16_t opacity, int swaps) {
    Quads over, under;
    memcpy(&over, from, sizeof over);
    memcpy(&under, to, sizeof under);
    Quads alpha = over >> 24;
    UWords weight = by255((UWords)(alpha | alpha << 16) * opacity), rest = 255 - weight;
    Quads overOuter = over & 0xff00ff;
    if (swaps) overOuter = overOuter << 16 | overOuter >> 16;
    UWords outer = by255((UWords)overOuter * weight + (UWords)(under & 0xff00ff) * rest);
    UWords inner = by255((UWords)(over >> 8 & 0xff) * weight + (UWords)(under >> 8 & 0xff) * rest);
    Quads pixels = (Quads)outer | (Quads)inner << 8 | (under & 0xff000000);
    memcpy(to, &pixels, sizeof pixels);
}

static void blend(const uint8_t *layer, ptrdiff_t layerStride, uint8_t *target, ptrdiff_t targetStride,
                  size_t width, size_t height, unsigned opacity, int swaps) {
    for (size_t row = 0; row < height; row++, layer += layerStride, target += targetStride) {
        if (swaps) {
            PK_FOR_PIXELS(layer, target, width, blendStep(from, to, (uint16_t)opacity, 1););
        } else {
            PK_FOR_PIXELS(layer, target, width, blendStep(from, to, (uint16_t)opacity, 0););
        }
    }
}

#include "effects_blur.h"
#include "effects_refract.h"

const PKEffects PK_EFFECTS_TABLE = {
    .mask = mask,
    .reflect = reflect,
    .combine = combine,
    .blend = blend,
    .blurRows = blurRows,
    .blurColumns = blurColumns,
    .refract = refract,
};
