// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// The edits of photos: each is computed once, at full size.

#include <math.h>

#include "CPixelKernels.h"

typedef float Pixel __attribute__((vector_size(16)));

static inline Pixel load(const uint8_t *bytes) {
    return (Pixel){bytes[0], bytes[1], bytes[2], bytes[3]};
}

static inline uint8_t byte(float value) {
    // NaN becomes 0.
    if (!(value > 0)) return 0;
    return value >= 255 ? 255 : (uint8_t)(value + 0.5f);
}

static inline size_t clamp(long place, size_t count) {
    if (place < 0) return 0;
    return (size_t)place < count ? (size_t)place : count - 1;
}

/// The weights of the four samples around a position that is `t` after the second of them.
static inline void cubic(float t, float weights[4]) {
    const float a = -0.5f;
    weights[0] = a * t * (1 - t) * (1 - t);
    weights[1] = ((a + 2) * t - (a + 3)) * t * t + 1;
    weights[2] = ((a + 2) * (1 - t) - (a + 3)) * (1 - t) * (1 - t) + 1;
    weights[3] = a * (1 - t) * t * t;
}

void PKWarp(const uint8_t *source, ptrdiff_t sourceStride, size_t sourceWidth, size_t sourceHeight, uint8_t *target,
            ptrdiff_t targetStride, size_t width, size_t firstRow, size_t endRow, const double *map) {
    for (size_t row = firstRow; row < endRow; row++) {
        uint8_t *to = target + (ptrdiff_t)row * targetStride;
        for (size_t column = 0; column < width; column++) {
            // The center of the pixel, and the last sample whose center is not after its position in the source.
            double px = (double)column + 0.5, py = (double)row + 0.5;
            double x = map[0] * px + map[1] * py + map[2] - 0.5;
            double y = map[3] * px + map[4] * py + map[5] - 0.5;
            double fx = floor(x), fy = floor(y);
            float across[4], down[4];
            cubic((float)(x - fx), across);
            cubic((float)(y - fy), down);
            Pixel sum = {0, 0, 0, 0};
            for (int j = 0; j < 4; j++) {
                const uint8_t *line =
                    source + (ptrdiff_t)clamp((long)fy + j - 1, sourceHeight) * sourceStride;
                Pixel part = {0, 0, 0, 0};
                for (int i = 0; i < 4; i++) {
                    part += load(line + 4 * clamp((long)fx + i - 1, sourceWidth)) * across[i];
                }
                sum += part * down[j];
            }
            for (int i = 0; i < 4; i++) to[4 * column + i] = byte(sum[i]);
        }
    }
}

void PKEnhance(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride, size_t width,
               size_t height, const float *levels, const float *lift, float saturation) {
    const float *blueLevels = levels, *greenLevels = levels + 256, *redLevels = levels + 512;
    for (size_t row = 0; row < height; row++) {
        const uint8_t *from = source + (ptrdiff_t)row * sourceStride;
        uint8_t *to = target + (ptrdiff_t)row * targetStride;
        for (size_t x = 0; x < width; x++, from += 4, to += 4) {
            float blue = blueLevels[from[0]], green = greenLevels[from[1]], red = redLevels[from[2]];
            float luma = 0.0722f * blue + 0.7152f * green + 0.2126f * red;
            float factor = lift[(size_t)(luma * 1023 + 0.5f)];
            float grey = luma * factor, spread = factor * saturation;
            to[0] = byte((grey + (blue * spread - grey * saturation)) * 255);
            to[1] = byte((grey + (green * spread - grey * saturation)) * 255);
            to[2] = byte((grey + (red * spread - grey * saturation)) * 255);
            to[3] = from[3];
        }
    }
}
