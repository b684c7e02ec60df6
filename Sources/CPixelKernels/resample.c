// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// Plain loops, which the compiler vectorizes.

#include <string.h>

#include "variants.h"

void PKNarrow(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride,
              size_t width, size_t height, int32_t multiplier, int32_t addend) {
    for (size_t row = 0; row < height; row++, source += sourceStride, target += targetStride) {
        const uint16_t *restrict from = (const uint16_t *)source;
        uint8_t *restrict to = target;
        if (multiplier == 1 << 19 && addend == 1 << 20) {
            // A rounded quarter, as for limited range: in 16 bits this is twice as fast.
            for (size_t x = 0; x < width; x++) {
                uint16_t quarter = (uint16_t)((from[x] > 1021 ? 1021 : from[x]) + 2) >> 2;
                to[x] = (uint8_t)quarter;
            }
            continue;
        }
        for (size_t x = 0; x < width; x++) {
            int32_t sample = from[x] > 1023 ? 1023 : from[x];
            int32_t value = (sample * multiplier + addend) >> 21;
            to[x] = (uint8_t)(value > 255 ? 255 : value < 0 ? 0 : value);
        }
    }
}

static inline uint16_t sampleAt(const uint8_t *row, size_t x, size_t sampleBytes) {
    return sampleBytes == 1 ? row[x] : ((const uint16_t *)row)[x];
}

static inline void storeSample(uint8_t *row, size_t x, uint16_t value, size_t sampleBytes) {
    if (sampleBytes == 1) {
        row[x] = (uint8_t)value;
    } else {
        ((uint16_t *)row)[x] = value;
    }
}

static inline void blendRow(const uint8_t *near, const uint8_t *far, uint16_t *restrict target, size_t width,
                            size_t columns, size_t sampleBytes) {
    if (columns == 1) {
        for (size_t x = 0; x < width; x++)
            target[x] = (uint16_t)(12 * sampleAt(near, x, sampleBytes) + 4 * sampleAt(far, x, sampleBytes));
        return;
    }
    size_t samples = (width + 1) / 2;
    enum { AtOnce = 256 };
    // The weighted sums of the two rows, in quarters, for a part of the row and the next sample.
    uint16_t sums[AtOnce + 1];
    for (size_t begin = 0; begin < samples; begin += AtOnce) {
        size_t count = samples - begin < AtOnce ? samples - begin : AtOnce;
        size_t known = begin + count < samples ? count + 1 : count;
        for (size_t x = 0; x < known; x++)
            sums[x] = (uint16_t)(3 * sampleAt(near, begin + x, sampleBytes) + sampleAt(far, begin + x, sampleBytes));
        if (begin == 0) target[0] = (uint16_t)(4 * sums[0]);
        // Two pixels are between two samples: the second of one block and the first of the next.
        uint16_t *between = target + 2 * begin + 1;
        for (size_t x = 0; x + 1 < known; x++) {
            between[2 * x] = (uint16_t)(3 * sums[x] + sums[x + 1]);
            between[2 * x + 1] = (uint16_t)(3 * sums[x + 1] + sums[x]);
        }
        if (known == count && width % 2 == 0) target[width - 1] = (uint16_t)(4 * sums[count - 1]);
    }
}

void PKBlendChromaRow(const uint8_t *near, const uint8_t *far, uint16_t *target, size_t width,
                      size_t columns, size_t sampleBytes) {
    if (sampleBytes == 1) {
        blendRow(near, far, target, width, columns, 1);
    } else {
        blendRow(near, far, target, width, columns, 2);
    }
}

/// The number of pixels that blendIntoRow interpolates at once.
enum { BlendedAtOnce = 512 };

/// Writes a row of interpolated chroma, in parts; the neighbors of the first and last sample of a part are read too.
static void blendIntoRow(const uint8_t *near, const uint8_t *far, uint8_t *target, size_t width,
                         size_t columns, size_t sampleBytes) {
    uint16_t blended[BlendedAtOnce + 8];
    size_t samples = (width + columns - 1) / columns;
    size_t chunk = BlendedAtOnce / columns;
    for (size_t begin = 0; begin < samples; begin += chunk) {
        // One extra sample on each side, if it exists: an edge of a part is not an edge of the row.
        size_t end = begin + chunk < samples ? begin + chunk : samples;
        size_t from = columns == 2 && begin > 0 ? begin - 1 : begin;
        size_t to = columns == 2 && end < samples ? end + 1 : end;
        size_t pixels = (to == samples ? width : to * columns) - from * columns;
        PKBlendChromaRow(near + from * sampleBytes, far + from * sampleBytes, blended, pixels, columns, sampleBytes);
        size_t skipped = (begin - from) * columns;
        size_t count = (end == samples ? width : end * columns) - begin * columns;
        for (size_t i = 0; i < count; i++) {
            uint16_t value = (uint16_t)((blended[skipped + i] + 8) >> 4);
            storeSample(target, begin * columns + i, value, sampleBytes);
        }
    }
}

static void repeatSamples(const uint8_t *restrict source, uint8_t *restrict target, size_t width,
                          size_t sampleBytes) {
    if (sampleBytes == 1) {
        for (size_t x = 0; x < width / 2; x++) {
            target[2 * x] = source[x];
            target[2 * x + 1] = source[x];
        }
        if (width % 2) target[width - 1] = source[width / 2];
    } else {
        const uint16_t *from = (const uint16_t *)source;
        uint16_t *to = (uint16_t *)target;
        for (size_t x = 0; x < width / 2; x++) {
            to[2 * x] = from[x];
            to[2 * x + 1] = from[x];
        }
        if (width % 2) to[width - 1] = from[width / 2];
    }
}

void PKEnlargeChroma(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride,
                     size_t width, size_t height, size_t columns, size_t rows, size_t sampleBytes,
                     int bilinear) {
    size_t chromaRows = (height + rows - 1) / rows;
    for (size_t row = 0; row < height; row++) {
        size_t near = row / rows, far = rows == 2 ? PKFarChromaRow(row, chromaRows) : near;
        const uint8_t *from = source + (ptrdiff_t)near * sourceStride;
        uint8_t *to = target + (ptrdiff_t)row * targetStride;
        if (bilinear) {
            blendIntoRow(from, source + (ptrdiff_t)far * sourceStride, to, width, columns, sampleBytes);
        } else if (columns == 1) {
            memcpy(to, from, width * sampleBytes);
        } else {
            repeatSamples(from, to, width, sampleBytes);
        }
    }
}

static inline void shrinkRow(const uint8_t *upper, const uint8_t *lower, uint8_t *restrict target,
                             size_t width, size_t columns, size_t sampleBytes) {
    size_t whole = width / columns;
    for (size_t x = 0; x < whole; x++) {
        size_t left = columns * x, right = left + columns - 1;
        unsigned sum = (unsigned)sampleAt(upper, left, sampleBytes) + sampleAt(upper, right, sampleBytes) +
                       sampleAt(lower, left, sampleBytes) + sampleAt(lower, right, sampleBytes);
        storeSample(target, x, (uint16_t)((sum + 2) / 4), sampleBytes);
    }
    if (whole * columns == width) return;
    unsigned sum = (unsigned)sampleAt(upper, width - 1, sampleBytes) + sampleAt(lower, width - 1, sampleBytes);
    storeSample(target, whole, (uint16_t)((sum + 1) / 2), sampleBytes);
}

void PKShrinkChroma(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride,
                    size_t width, size_t height, size_t columns, size_t rows, size_t sampleBytes) {
    for (size_t row = 0; row < height; row += rows, target += targetStride) {
        const uint8_t *upper = source + (ptrdiff_t)row * sourceStride;
        const uint8_t *lower = rows == 2 && row + 1 < height ? upper + sourceStride : upper;
        if (sampleBytes == 2) {
            shrinkRow(upper, lower, target, width, columns, 2);
        } else if (columns == 2) {
            shrinkRow(upper, lower, target, width, 2, 1);
        } else {
            shrinkRow(upper, lower, target, width, 1, 1);
        }
    }
}
