// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// Waves on a grid of heights.

#include "CPixelKernels.h"

// Without fused operations, the results are the same on every machine.
#pragma STDC FP_CONTRACT OFF

static inline float larger(float a, float b) {
    return a > b ? a : b;
}

static inline float magnitude(float a) {
    return a < 0 ? -a : a;
}

/// Replaces the previous height at one node by the next one; returns the absolute change.
static inline float move(const float *now, float *before, float neighbours, float tension, float damping) {
    float change = (*now - *before) * damping + (neighbours - 4 * *now) * tension;
    *before = *now + change;
    return magnitude(change);
}

float PKWaveStep(const float *now, float *before, size_t width, size_t height, float tension, float damping) {
    float most = 0;
    for (size_t y = 0; y < height; y++) {
        const float *here = now + y * width;
        const float *above = y > 0 ? here - width : here, *below = y + 1 < height ? here + width : here;
        float *next = before + y * width;
        for (size_t x = 1; x + 1 < width; x++) {
            float sum = here[x - 1] + here[x + 1] + above[x] + below[x];
            most = larger(most, move(here + x, next + x, sum, tension, damping));
        }
        size_t ends[2] = {0, width - 1};
        for (size_t i = 0; i < (width > 1 ? 2 : 1); i++) {
            size_t x = ends[i];
            float left = here[x > 0 ? x - 1 : x], right = here[x + 1 < width ? x + 1 : x];
            float sum = left + right + above[x] + below[x];
            most = larger(most, move(here + x, next + x, sum, tension, damping));
        }
    }
    return most;
}

float PKWaveSlopes(const float *heights, size_t width, size_t height, float *across, float *down) {
    float most = 0;
    for (size_t y = 0; y < height; y++) {
        const float *here = heights + y * width;
        const float *above = y > 0 ? here - width : here, *below = y + 1 < height ? here + width : here;
        float *toRight = across + y * width, *toBottom = down + y * width;
        for (size_t x = 0; x < width; x++) {
            toRight[x] = (here[x + 1 < width ? x + 1 : x] - here[x > 0 ? x - 1 : x]) / 2;
            toBottom[x] = (below[x] - above[x]) / 2;
            most = larger(most, larger(magnitude(toRight[x]), magnitude(toBottom[x])));
        }
    }
    return most;
}
