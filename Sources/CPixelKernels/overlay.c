// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// Blends a picture with alpha over luma and chroma, without converting the whole picture to RGB.

#include <string.h>

#include "CPixelKernels.h"

static inline size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

static inline size_t most(size_t a, size_t b) {
    return a > b ? a : b;
}

/// A weighted sum of the bytes of a pixel, in sixteenths, clamped to 0...255.
static inline uint32_t sixteenths(const uint8_t *pixel, PKWeights by) {
    int32_t sum = by.first * pixel[0] + by.second * pixel[1] + by.third * pixel[2] + by.offset;
    int32_t value = (sum - (1 << 14) + (1 << 10)) >> 11;
    return (uint32_t)(value < 0 ? 0 : value > 255 * 16 ? 255 * 16 : value);
}

static inline uint8_t luma(const uint8_t *pixel, PKWeights by) {
    int32_t value = (by.first * pixel[0] + by.second * pixel[1] + by.third * pixel[2] + by.offset) >> 15;
    return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

/// The rounded quotient.
static inline uint8_t mix(uint32_t sum, uint32_t weight) {
    return (uint8_t)((sum + weight / 2) / weight);
}

void PKBlendOntoYUV(const uint8_t *layer, ptrdiff_t layerStride, size_t layerWidth, size_t layerHeight, size_t x,
                    size_t y, const PKTarget *target, const PKWeights *weights, unsigned opacity, size_t begin,
                    size_t end) {
    const PKTarget to = *target;
    const PKWeights forLuma = weights[0], forBlue = weights[1], forRed = weights[2];
    size_t columns = to.columns, rows = to.rows;
    size_t top = most(begin, y / rows * rows), bottom = least(end, y + layerHeight);
    for (size_t by = top; by < bottom; by += rows) {
        size_t rowBegin = most(by, y), rowEnd = least(by + rows, y + layerHeight);
        size_t blockRows = least(by + rows, to.height) - by;
        uint8_t *u = to.u + (ptrdiff_t)(by / rows) * to.uStride, *v = to.v + (ptrdiff_t)(by / rows) * to.vStride;
        for (size_t bx = x / columns * columns; bx < x + layerWidth; bx += columns) {
            size_t columnBegin = most(bx, x), columnEnd = least(bx + columns, x + layerWidth);
            uint32_t cover = 0, blue = 0, red = 0;
            for (size_t row = rowBegin; row < rowEnd; row++) {
                const uint8_t *pixels = layer + (ptrdiff_t)(row - y) * layerStride;
                uint8_t *lumas = to.y + (ptrdiff_t)row * to.yStride;
                for (size_t column = columnBegin; column < columnEnd; column++) {
                    const uint8_t *pixel = pixels + 4 * (column - x);
                    uint32_t alpha = mix(pixel[3] * opacity, 255);
                    if (alpha == 0) continue;
                    lumas[column] = mix(luma(pixel, forLuma) * alpha + lumas[column] * (255 - alpha), 255);
                    cover += alpha;
                    blue += alpha * sixteenths(pixel, forBlue);
                    red += alpha * sixteenths(pixel, forRed);
                }
            }
            if (cover == 0) continue;
            uint32_t whole = (uint32_t)(255 * blockRows * (least(bx + columns, to.width) - bx));
            size_t place = bx / columns * to.chromaStep;
            u[place] = mix(blue + 16 * u[place] * (whole - cover), 16 * whole);
            v[place] = mix(red + 16 * v[place] * (whole - cover), 16 * whole);
        }
    }
}
