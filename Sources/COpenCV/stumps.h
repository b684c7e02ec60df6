// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// A cascade of stumps in memory, and the types that a scan with it uses. The library ObscuraOpenCV fills OCVStumps:
// OCVInterface must change with it.
#ifndef OBSCURA_OPENCV_STUMPS_H
#define OBSCURA_OPENCV_STUMPS_H

#include "COpenCV.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The limits of a cascade: rectangles of a feature, and stages.
enum { OCVMostRects = 3, OCVMostStages = 64 };

/// A feature, and the values that it adds to the sum of a stage below and above its threshold.
typedef struct {
    OCVRect rects[OCVMostRects];
    float weights[OCVMostRects];
    float threshold, below, above;
} OCVStump;

typedef struct {
    int32_t stumpCount;
    float threshold;
} OCVStage;

struct OCVStumps {
    int32_t width, height;
    int32_t stageCount, stumpCount;
    OCVStage stages[OCVMostStages];
    OCVStump *_Nullable stumps;
    /// The windows of eight neighbors that OpenCV evaluates, one bit each: it skips the window after one that the first
    /// stage rejects. The first index is whether the first window is skipped, the second the windows that the first
    /// stage rejects, one bit each.
    uint8_t lookedAt[2][256];
};

/// A stump for integral images with a given row length: the offsets of the corners of its rectangles.
typedef struct {
    int32_t corners[4 * OCVMostRects];
    float weights[OCVMostRects];
    float threshold, below, above;
} OCVPlacedStump;

/// The stumps for integral images with one row length. With a step of 2, a row has the sums of even columns first and
/// then those of odd columns, so that the sums of consecutive windows are contiguous.
typedef struct {
    int32_t rowLength, step;
    /// The corners of the part of a window whose contrast is measured.
    int32_t contrast[4];
    OCVPlacedStump *_Nullable stumps;
} OCVPlacement;

/// The integral images of a band, and the windows to evaluate.
typedef struct {
    const OCVStumps *_Nonnull cascade;
    const OCVPlacement *_Nonnull placement;
    const int32_t *_Nonnull sums;
    const int32_t *_Nonnull squares;
    /// The number of windows in each direction, and the number of columns at the left that are not reported.
    int32_t columns, rows, lead;
    int32_t left, top;
    OCVRect *_Nonnull found;
    int32_t capacity;
} OCVSearch;

/// The variants of the search; see search.h. They return the number of windows found.
int32_t OCVSearchBaseline(const OCVSearch *_Nonnull search);
#if defined(__x86_64__)
int32_t OCVSearchAVX2(const OCVSearch *_Nonnull search);
#endif

#ifdef __cplusplus
}
#endif

#endif
