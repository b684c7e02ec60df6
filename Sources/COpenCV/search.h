// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// The body of every variant of the search, included once by each of them. The including file defines OCV_LANES, the
// number of 32-bit numbers in a register, and OCV_SEARCH, the name of the function to define.
//
// OpenCV evaluates one window after the other. Here OCV_LANES neighboring windows are evaluated together: one load
// reads a sum for all of them. This needs no more loads than one window would, even if few of them remain.
//
// The results are identical to OpenCV's. OpenCV computes the sum of a stage in double precision, this code in single
// precision. Therefore a window passes a later stage here even if it is slightly below the threshold, and the few
// windows that pass all stages are checked again with OpenCV's own arithmetic.

#include <math.h>
#include <string.h>

#include "stumps.h"

// A multiplication and an addition must not be fused into one operation with one rounding: OpenCV rounds twice.
#pragma STDC FP_CONTRACT OFF

#define OCV_INLINE static inline __attribute__((always_inline))

typedef int32_t Ints __attribute__((vector_size(4 * OCV_LANES)));
typedef float Floats __attribute__((vector_size(4 * OCV_LANES)));
typedef double Doubles __attribute__((vector_size(8 * OCV_LANES)));

enum { AllLanes = (1 << OCV_LANES) - 1 };

/// The largest rounding error of the sum of a stage in single precision; the sums are below 256.
static const float roundingMargin = 1e-3f;

OCV_INLINE Ints loadInts(const int32_t *from) {
    Ints ints;
    memcpy(&ints, from, sizeof ints);
    return ints;
}

/// The sums over one rectangle, for each window.
OCV_INLINE Ints sumsOver(const int32_t *at, const int32_t *corners) {
    return loadInts(at + corners[0]) - loadInts(at + corners[1]) - loadInts(at + corners[2]) +
           loadInts(at + corners[3]);
}

/// One bit for each lane that is true; the lowest bit is the first lane.
OCV_INLINE int bitsOf(Ints lanes) {
#if OCV_LANES == 8
    return __builtin_ia32_movmskps256((Floats)lanes);
#else
    const Ints weights = {1, 2, 4, 8};
    const Ints bits = lanes & weights;
    return bits[0] | bits[1] | bits[2] | bits[3];
#endif
}

OCV_INLINE Floats leaves(const OCVPlacedStump *stump, const int32_t *at, Floats norm) {
    Floats value = __builtin_convertvector(sumsOver(at, stump->corners), Floats) * stump->weights[0] +
                   __builtin_convertvector(sumsOver(at, stump->corners + 4), Floats) * stump->weights[1];
    if (stump->weights[2] != 0) {
        value += __builtin_convertvector(sumsOver(at, stump->corners + 8), Floats) * stump->weights[2];
    }
    const Ints isBelow = value * norm < stump->threshold;
    const Floats below = (Floats){0} + stump->below, above = (Floats){0} + stump->above;
    return (Floats)((isBelow & (Ints)below) | (~isBelow & (Ints)above));
}

/// The sum over a rectangle of one window. Sums of squares overflow, and their differences are still correct; unsigned
/// arithmetic, because overflow is undefined for signed numbers.
static int32_t sumOver(const int32_t *at, const int32_t *corners) {
    return (int32_t)((uint32_t)at[corners[0]] - (uint32_t)at[corners[1]] - (uint32_t)at[corners[2]] +
                     (uint32_t)at[corners[3]]);
}

/// Whether one window passes all stages, in OpenCV's own arithmetic.
static int passes(const OCVSearch *search, const int32_t *sums, const int32_t *squares) {
    const OCVStumps *cascade = search->cascade;
    const int32_t *contrast = search->placement->contrast;
    const double area = (cascade->width - 2) * (cascade->height - 2);
    const double sum = sumOver(sums, contrast), square = (uint32_t)sumOver(squares, contrast);
    const double variance = area * square - sum * sum;
    if (!(variance > 0)) return 0;
    const float norm = (float)(1 / sqrt(variance));
    if (!(area * norm < 1e-1)) return 0;
    const OCVPlacedStump *stump = search->placement->stumps;
    for (int stage = 0; stage < cascade->stageCount; stage++) {
        double total = 0;
        for (int i = 0; i < cascade->stages[stage].stumpCount; i++, stump++) {
            float value = stump->weights[0] * (float)sumOver(sums, stump->corners) +
                          stump->weights[1] * (float)sumOver(sums, stump->corners + 4);
            if (stump->weights[2] != 0) value += stump->weights[2] * (float)sumOver(sums, stump->corners + 8);
            total += value * norm < stump->threshold ? stump->below : stump->above;
        }
        if (total < cascade->stages[stage].threshold) return 0;
    }
    return 1;
}

int32_t OCV_SEARCH(const OCVSearch *search) {
    const OCVStumps *cascade = search->cascade;
    const OCVPlacement *placement = search->placement;
    const float area = (float)((cascade->width - 2) * (cascade->height - 2));
    int32_t count = 0;
    for (int32_t row = 0; row < search->rows; row++) {
        const ptrdiff_t begin = (ptrdiff_t)row * placement->step * placement->rowLength;
        int isLeftOut = 0;
        for (int32_t column = 0; column < search->columns; column += OCV_LANES) {
            const int32_t *sums = search->sums + begin + column, *squares = search->squares + begin + column;
            const Doubles sum = __builtin_convertvector(sumsOver(sums, placement->contrast), Doubles);
            const Doubles square = __builtin_convertvector(sumsOver(squares, placement->contrast), Doubles);
            const Floats variance = __builtin_convertvector(square * (double)area - sum * sum, Floats);
            const Floats norm = 1.0f / __builtin_elementwise_sqrt(variance);
            const int32_t left = search->columns - column;
            // OpenCV skips windows with little contrast.
            const int isThere = bitsOf((variance > 0) & (norm * area < 0.1f)) &
                                (left < OCV_LANES ? (1 << left) - 1 : AllLanes);
            const OCVPlacedStump *stump = placement->stumps;
            Floats total = {0};
            for (int i = 0; i < cascade->stages[0].stumpCount; i++) total += leaves(stump++, sums, norm);
            const int passed = isThere & bitsOf(total >= cascade->stages[0].threshold);
            const int stopped = isThere & ~passed;
            const int lookedAt = cascade->lookedAt[isLeftOut][stopped];
            isLeftOut = (lookedAt & stopped) >> (OCV_LANES - 1) & 1;
            int alive = passed & lookedAt;
            for (int stage = 1; alive && stage < cascade->stageCount; stage++) {
                total = (Floats){0};
                for (int i = 0; i < cascade->stages[stage].stumpCount; i++) total += leaves(stump++, sums, norm);
                alive &= bitsOf(total >= cascade->stages[stage].threshold - roundingMargin);
            }
            for (; alive; alive &= alive - 1) {
                const int lane = __builtin_ctz((unsigned)alive);
                if (column + lane < search->lead || count == search->capacity) continue;
                if (!passes(search, sums + lane, squares + lane)) continue;
                search->found[count++] = (OCVRect){search->left + (column + lane) * placement->step,
                                                   search->top + row * placement->step, 0, 0};
            }
        }
    }
    return count;
}
