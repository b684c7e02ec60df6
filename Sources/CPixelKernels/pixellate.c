// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// Replaces blocks of pixels by their mean.

#include <string.h>

#include "CPixelKernels.h"

/// Writes the means of one row of blocks as the pixels of `to`. `sums` has the sum of each column.
static void makeMeans(const uint32_t *sums, uint8_t *to, size_t width, size_t rows, size_t step, size_t blockWidth) {
    for (size_t x = 0; x < width; x += blockWidth) {
        size_t columns = x + blockWidth < width ? blockWidth : width - x;
        uint64_t count = (uint64_t)columns * rows;
        uint8_t mean[4] = {0};
        for (size_t c = 0; c < step; c++) {
            uint64_t sum = count / 2;
            for (size_t i = 0; i < columns; i++) sum += sums[(x + i) * step + c];
            mean[c] = (uint8_t)(sum / count);
        }
        for (size_t i = 0; i < columns; i++) memcpy(to + (x + i) * step, mean, step);
    }
}

void PKPixellate(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride,
                 size_t width, size_t height, size_t step, size_t blockWidth, size_t blockHeight, uint32_t *sums) {
    size_t bytes = width * step;
    for (size_t y = 0; y < height; y += blockHeight) {
        size_t rows = y + blockHeight < height ? blockHeight : height - y;
        memset(sums, 0, bytes * sizeof *sums);
        for (size_t row = 0; row < rows; row++) {
            const uint8_t *restrict from = source + (ptrdiff_t)(y + row) * sourceStride;
            for (size_t i = 0; i < bytes; i++) sums[i] += from[i];
        }
        uint8_t *first = target + (ptrdiff_t)y * targetStride;
        switch (step) {
        case 1: makeMeans(sums, first, width, rows, 1, blockWidth); break;
        case 2: makeMeans(sums, first, width, rows, 2, blockWidth); break;
        case 4: makeMeans(sums, first, width, rows, 4, blockWidth); break;
        default: makeMeans(sums, first, width, rows, step, blockWidth); break;
        }
        for (size_t row = 1; row < rows; row++) memcpy(first + (ptrdiff_t)row * targetStride, first, bytes);
    }
}
