// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// A cascade of stumps in memory, and what a scan with it needs.
#ifndef OBSCURA_OPENCV_STUMPS_H
#define OBSCURA_OPENCV_STUMPS_H

#include "COpenCV.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How many rectangles a feature has at the most.
enum { OCVMostRects = 3, OCVMostStages = 64 };

/// A feature, and the sum that it adds on either side of a threshold.
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
    /// Which of eight neighbouring windows OpenCV looks at, one bit each: it leaves out the one behind a window that
    /// the first stage stops. By whether the first of them is left out, and by which of them that stage stops.
    uint8_t lookedAt[2][256];
};

/// A stump on sums with a certain distance between rows: where the corners of its rectangles lie.
typedef struct {
    int32_t corners[4 * OCVMostRects];
    float weights[OCVMostRects];
    float threshold, below, above;
} OCVPlacedStump;

/// The stumps on sums with one distance between rows. With a step of 2 the sums of a row lie apart: those at even
/// places, then those at odd ones, so that neighbouring windows lie beside one another.
typedef struct {
    int32_t rowLength, step;
    /// The part of a window by which its contrast is measured.
    int32_t contrast[4];
    OCVPlacedStump *_Nullable stumps;
} OCVPlacement;

/// Sums of a band, and the windows of it to look at.
typedef struct {
    const OCVStumps *_Nonnull cascade;
    const OCVPlacement *_Nonnull placement;
    const int32_t *_Nonnull sums;
    const int32_t *_Nonnull squares;
    /// How many windows there are in each direction, and how many at the left are not handed out.
    int32_t columns, rows, lead;
    int32_t left, top;
    OCVRect *_Nonnull found;
    int32_t capacity;
} OCVSearch;

/// The bodies of the scan; see search.h. They return how many windows were found.
int32_t OCVSearchBaseline(const OCVSearch *_Nonnull search);
#if defined(__x86_64__)
int32_t OCVSearchAVX2(const OCVSearch *_Nonnull search);
#endif

#ifdef __cplusplus
}
#endif

#endif
