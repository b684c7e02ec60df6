// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// Transposes and mirrors pixels of two and four bytes, reorders their bytes, and drops alpha.

#include <string.h>

#include "CPixelKernels.h"

/// The side of the squares that are transposed together: 16 rows of 64 bytes fit in the L1 cache.
enum { Side = 16 };

#define PK_DEFINE_PERMUTATIONS(Type, transposeName, mirrorName)                                            \
    static void transposeName(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target,              \
                              ptrdiff_t targetStride, size_t width, size_t height) {                       \
        for (size_t y0 = 0; y0 < height; y0 += Side) {                                                     \
            size_t y1 = y0 + Side < height ? y0 + Side : height;                                           \
            for (size_t x0 = 0; x0 < width; x0 += Side) {                                                  \
                size_t x1 = x0 + Side < width ? x0 + Side : width;                                         \
                for (size_t x = x0; x < x1; x++) {                                                         \
                    Type *to = (Type *)(target + (ptrdiff_t)x * targetStride);                             \
                    for (size_t y = y0; y < y1; y++)                                                       \
                        to[y] = ((const Type *)(source + (ptrdiff_t)y * sourceStride))[x];                 \
                }                                                                                          \
            }                                                                                              \
        }                                                                                                  \
    }                                                                                                      \
    static void mirrorName(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target,                 \
                           ptrdiff_t targetStride, size_t width, size_t height) {                          \
        for (size_t y = 0; y < height; y++) {                                                              \
            const Type *restrict from = (const Type *)(source + (ptrdiff_t)y * sourceStride);              \
            Type *restrict to = (Type *)(target + (ptrdiff_t)y * targetStride);                            \
            for (size_t x = 0; x < width; x++) to[x] = from[width - 1 - x];                                \
        }                                                                                                  \
    }

PK_DEFINE_PERMUTATIONS(uint16_t, transposeWords, mirrorWords)
PK_DEFINE_PERMUTATIONS(uint32_t, transposePixels, mirrorPixels)

void PKTranspose(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride,
                 size_t width, size_t height, size_t sampleBytes) {
    if (sampleBytes == 2) {
        transposeWords(source, sourceStride, target, targetStride, width, height);
    } else {
        transposePixels(source, sourceStride, target, targetStride, width, height);
    }
}

void PKMirror(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride,
              size_t width, size_t height, size_t sampleBytes) {
    if (sampleBytes == 2) {
        mirrorWords(source, sourceStride, target, targetStride, width, height);
    } else {
        mirrorPixels(source, sourceStride, target, targetStride, width, height);
    }
}

void PKDropAlpha(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride,
                 size_t width, size_t height) {
    for (size_t y = 0; y < height; y++) {
        const uint8_t *restrict from = source + (ptrdiff_t)y * sourceStride;
        uint8_t *restrict to = target + (ptrdiff_t)y * targetStride;
        for (size_t x = 0; x < width; x++) {
            to[3 * x] = from[4 * x];
            to[3 * x + 1] = from[4 * x + 1];
            to[3 * x + 2] = from[4 * x + 2];
        }
    }
}

/// With a constant order, the compiler makes a loop over vectors of it. Pixels are little-endian numbers.
static inline __attribute__((always_inline)) void reorderRow(const uint8_t *restrict from, uint8_t *restrict to,
                                                             size_t width, PKOrder order, uint32_t set) {
    for (size_t x = 0; x < width; x++) {
        uint32_t pixel;
        memcpy(&pixel, from + 4 * x, sizeof pixel);
        switch (order) {
        case PKOrderSame:
            break;
        case PKOrderSwapped:
            pixel = (pixel & 0xff00ff00) | (pixel >> 16 & 0xff) | (pixel & 0xff) << 16;
            break;
        case PKOrderReversed:
            pixel = pixel >> 24 | (pixel >> 8 & 0xff00) | (pixel & 0xff00) << 8 | pixel << 24;
            break;
        case PKOrderRotated:
            pixel = pixel >> 8 | pixel << 24;
            break;
        }
        pixel |= set;
        memcpy(to + 4 * x, &pixel, sizeof pixel);
    }
}

void PKReorder(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride,
               size_t width, size_t height, PKOrder order, int opaque) {
    uint32_t set = opaque ? 0xff000000 : 0;
    for (size_t y = 0; y < height; y++, source += sourceStride, target += targetStride) {
        switch (order) {
        case PKOrderSame:
            reorderRow(source, target, width, PKOrderSame, set);
            break;
        case PKOrderSwapped:
            reorderRow(source, target, width, PKOrderSwapped, set);
            break;
        case PKOrderReversed:
            reorderRow(source, target, width, PKOrderReversed, set);
            break;
        case PKOrderRotated:
            reorderRow(source, target, width, PKOrderRotated, set);
            break;
        }
    }
}
