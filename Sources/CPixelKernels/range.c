// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// Converts RGB with black at 16 and white at 235 to the codes 0 to 255.

#include "CPixelKernels.h"

void PKExpandRange(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride,
                   size_t width, size_t height, size_t pixelBytes, size_t firstColor) {
    uint8_t codes[256];
    for (int code = 0; code < 256; code++) {
        int twice = 2 * 255 * (code - 16);
        // Rounded to the nearest; codes below black become black, codes above white become white.
        int value = twice <= 0 ? 0 : (twice + 219) / (2 * 219);
        codes[code] = (uint8_t)(value > 255 ? 255 : value);
    }
    size_t other = firstColor == 0 ? 3 : 0;
    for (size_t y = 0; y < height; y++) {
        const uint8_t *restrict from = source + (ptrdiff_t)y * sourceStride;
        uint8_t *restrict to = target + (ptrdiff_t)y * targetStride;
        for (size_t x = 0; x < width; x++) {
            const uint8_t *pixel = from + pixelBytes * x;
            uint8_t *result = to + pixelBytes * x;
            for (size_t channel = firstColor; channel < firstColor + 3; channel++)
                result[channel] = codes[pixel[channel]];
            if (pixelBytes == 4) result[other] = pixel[other];
        }
    }
}
