// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// Scales pixels of four bytes: each result is the weighted mean of the pixels in a rectangle. The rows are added first,
// then the columns. Sums of 32-bit floating point are exact enough: a picture of one color keeps it.

#include "CPixelKernels.h"

typedef float Pixel __attribute__((vector_size(16), aligned(4)));

static float weight(const PKTaps *taps, int32_t index) {
    if (index == 0) return taps->first;
    return index == taps->count - 1 ? taps->last : taps->middle;
}

// Writes the weighted sum of some rows, of `size` bytes each.
static void addRows(const uint8_t *source, ptrdiff_t stride, size_t size, const PKTaps *taps, float *restrict sums) {
    for (int32_t index = 0; index < taps->count; index++) {
        const uint8_t *restrict row = source + (taps->start + index) * stride;
        float factor = weight(taps, index);
        if (index == 0) {
            for (size_t byte = 0; byte < size; byte++) sums[byte] = factor * row[byte];
        } else {
            for (size_t byte = 0; byte < size; byte++) sums[byte] += factor * row[byte];
        }
    }
}

static void addColumns(const float *sums, const PKTaps *taps, uint8_t *restrict result) {
    const Pixel *pixels = (const Pixel *)sums + taps->start;
    Pixel sum = {0.5f, 0.5f, 0.5f, 0.5f};
    for (int32_t index = 0; index < taps->count; index++) sum += weight(taps, index) * pixels[index];
    for (int channel = 0; channel < 4; channel++) result[channel] = (uint8_t)sum[channel];
}

void PKScale(const uint8_t *source, ptrdiff_t sourceStride, size_t sourceWidth, const PKTaps *columns, size_t width,
             const PKTaps *rows, size_t height, float *sums, uint8_t *target, ptrdiff_t targetStride) {
    for (size_t y = 0; y < height; y++) {
        addRows(source, sourceStride, 4 * sourceWidth, &rows[y], sums);
        uint8_t *result = target + (ptrdiff_t)y * targetStride;
        for (size_t x = 0; x < width; x++) addColumns(sums, &columns[x], result + 4 * x);
    }
}
