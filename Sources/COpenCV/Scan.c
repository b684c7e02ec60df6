// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// Scales a band of a picture, computes its integral images, and searches it.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stumps.h"

enum {
    /// The number of cached placements; a video needs about one for each row length.
    KeptPlacements = 24,
    /// A search may load up to one register beyond the last window of a row.
    Slack = 16,
};

/// The position of a sample of the scaled picture between two samples of the picture: the index of the first, and the
/// weight of the second in 1/256.
typedef struct {
    int32_t place;
    int32_t weight;
} Sample;

struct OCVScratch {
    const OCVStumps *cascade;
    OCVPlacement placements[KeptPlacements];
    int placementCount, nextPlacement;
    int32_t *sums, *squares;
    size_t sumCapacity;
    Sample *columns;
    uint16_t *row;
    uint8_t *scaled;
    size_t columnCapacity, rowCapacity;
};

OCVScratch *OCVScratchMake(void) { return calloc(1, sizeof(OCVScratch)); }

static void forgetPlacements(OCVScratch *scratch) {
    for (int i = 0; i < scratch->placementCount; i++) free(scratch->placements[i].stumps);
    scratch->placementCount = scratch->nextPlacement = 0;
}

void OCVScratchFree(OCVScratch *scratch) {
    forgetPlacements(scratch);
    free(scratch->sums);
    free(scratch->squares);
    free(scratch->columns);
    free(scratch->row);
    free(scratch->scaled);
    free(scratch);
}

int32_t OCVStumpsWidth(const OCVStumps *stumps) { return stumps->width; }

int32_t OCVStumpsHeight(const OCVStumps *stumps) { return stumps->height; }

// MARK: Placing

static void placeCorners(const OCVPlacement *placement, OCVRect rect, int32_t *corners) {
    for (int i = 0; i < 4; i++) {
        const int32_t x = rect.x + (i & 1 ? rect.width : 0), y = rect.y + (i & 2 ? rect.height : 0);
        const int32_t column = placement->step == 1 ? x : (x & 1) * (placement->rowLength / 2) + x / 2;
        corners[i] = y * placement->rowLength + column;
    }
}

static const OCVPlacement *place(const OCVStumps *cascade, OCVScratch *scratch, int32_t rowLength, int32_t step) {
    if (scratch->cascade != cascade) forgetPlacements(scratch);
    scratch->cascade = cascade;
    for (int i = 0; i < scratch->placementCount; i++) {
        const OCVPlacement *kept = &scratch->placements[i];
        if (kept->rowLength == rowLength && kept->step == step) return kept;
    }
    OCVPlacedStump *stumps = calloc((size_t)cascade->stumpCount, sizeof *stumps);
    if (!stumps) return NULL;
    int index = scratch->placementCount;
    if (index < KeptPlacements) {
        scratch->placementCount++;
    } else {
        index = scratch->nextPlacement;
        scratch->nextPlacement = (index + 1) % KeptPlacements;
        free(scratch->placements[index].stumps);
    }
    OCVPlacement *placement = &scratch->placements[index];
    *placement = (OCVPlacement){.rowLength = rowLength, .step = step, .stumps = stumps};
    placeCorners(placement, (OCVRect){1, 1, cascade->width - 2, cascade->height - 2}, placement->contrast);
    for (int32_t i = 0; i < cascade->stumpCount; i++) {
        const OCVStump *stump = &cascade->stumps[i];
        OCVPlacedStump *placed = &stumps[i];
        for (int j = 0; j < OCVMostRects; j++) placeCorners(placement, stump->rects[j], placed->corners + 4 * j);
        memcpy(placed->weights, stump->weights, sizeof placed->weights);
        placed->threshold = stump->threshold;
        placed->below = stump->below;
        placed->above = stump->above;
    }
    return placement;
}

// MARK: Scaling

/// The samples and weights that cv::resize uses with INTER_LINEAR_EXACT, bit-exact.
static Sample sampleOf(int32_t index, int32_t levelSide, int32_t side) {
    const double scale = 1 / ((double)levelSide / side);
    const double place = scale * (index + 0.5) - 0.5;
    const double whole = floor(place);
    if (whole < 0 || side == 1) return (Sample){0, 0};
    if (whole >= side - 1) return (Sample){side - 1, 0};
    return (Sample){(int32_t)whole, (int32_t)lrint((place - whole) * 256)};
}

/// Computes one row of the scaled picture. The vertical interpolation is first: nothing is rounded before the end, so
/// the order does not change the result.
static void scaleRow(const OCVScratch *scratch, OCVPicture gray, Sample down, int32_t columns) {
    const int32_t first = scratch->columns[0].place;
    // The index after the last sample, its right neighbor; at the right edge there is none, and its weight is 0.
    const int32_t last = scratch->columns[columns - 1].place + 1;
    const int32_t end = last < gray.width ? last + 1 : gray.width;
    const uint8_t *near = gray.bytes + (ptrdiff_t)down.place * gray.bytesPerRow;
    const uint8_t *far = down.weight ? near + gray.bytesPerRow : near;
    const uint16_t farWeight = (uint16_t)down.weight, nearWeight = (uint16_t)(256 - down.weight);
    uint16_t *row = scratch->row;
    for (int32_t x = first; x < end; x++) {
        row[x - first] = (uint16_t)((uint16_t)(near[x] * nearWeight) + (uint16_t)(far[x] * farWeight));
    }
    if (end <= last) row[end - first] = row[end - first - 1];
    for (int32_t x = 0; x < columns; x++) {
        const Sample sample = scratch->columns[x];
        const uint32_t left = row[sample.place - first], right = row[sample.place - first + 1];
        const uint32_t weight = (uint32_t)sample.weight;
        scratch->scaled[x] = (uint8_t)((left * (256 - weight) + right * weight + (1u << 15)) >> 16);
    }
}

// MARK: Summing

/// Appends a row to the integral images. The sums may overflow: only their differences are used.
static void addRow(const OCVScratch *scratch, size_t above, int32_t rowLength, int32_t step, int32_t columns) {
    const int32_t *sumsAbove = scratch->sums + above, *squaresAbove = scratch->squares + above;
    int32_t *sums = scratch->sums + above + rowLength, *squares = scratch->squares + above + rowLength;
    int32_t sum = 0, square = 0;
    sums[0] = squares[0] = 0;
    if (step == 1) {
        for (int32_t x = 0; x < columns; x++) {
            const int32_t value = scratch->scaled[x];
            sum += value;
            square += value * value;
            sums[x + 1] = (int32_t)((uint32_t)sumsAbove[x + 1] + (uint32_t)sum);
            squares[x + 1] = (int32_t)((uint32_t)squaresAbove[x + 1] + (uint32_t)square);
        }
        return;
    }
    const int32_t half = rowLength / 2;
    for (int32_t x = 0; x < columns; x++) {
        const int32_t value = scratch->scaled[x];
        sum += value;
        square += value * value;
        const int32_t place = ((x + 1) & 1) * half + (x + 1) / 2;
        sums[place] = (int32_t)((uint32_t)sumsAbove[place] + (uint32_t)sum);
        squares[place] = (int32_t)((uint32_t)squaresAbove[place] + (uint32_t)square);
    }
}

/// Ensures that `memory` has room for `count` elements; earlier contents are lost.
static int makeRoom(void **memory, size_t *capacity, size_t count, size_t size) {
    if (*capacity >= count && *memory) return 1;
    free(*memory);
    *memory = calloc(count, size);
    *capacity = *memory ? count : 0;
    return *memory != NULL;
}

static int makeRooms(OCVScratch *scratch, size_t sums, size_t columns, size_t row) {
    size_t capacity = scratch->sumCapacity;
    if (!makeRoom((void **)&scratch->sums, &capacity, sums, sizeof(int32_t))) return 0;
    if (!makeRoom((void **)&scratch->squares, &scratch->sumCapacity, sums, sizeof(int32_t))) return 0;
    capacity = scratch->columnCapacity;
    if (!makeRoom((void **)&scratch->columns, &capacity, columns, sizeof(Sample))) return 0;
    if (!makeRoom((void **)&scratch->scaled, &scratch->columnCapacity, columns, 1)) return 0;
    return makeRoom((void **)&scratch->row, &scratch->rowCapacity, row, sizeof(uint16_t));
}

// MARK: The scan

/// Rounds up to one of a few row lengths, so that few placements are needed. None is a power of two: with one, the
/// samples of a column would compete for the same cache lines.
static int32_t rowLengthFor(int32_t columns) {
    int32_t length = 64;
    while (length + 16 < columns + Slack) length += length / 128 * 32 + 32;
    return length + 16;
}

OCVVariant OCVBestVariant(void) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) return OCVVariantAVX2;
#endif
    return OCVVariantBaseline;
}

int32_t OCVStumpsScan(const OCVStumps *stumps, OCVScratch *scratch, OCVPicture gray, OCVBand band, OCVVariant variant,
                      OCVRect *found, int32_t capacity) {
    if (gray.width < 1 || gray.height < 1 || band.levelWidth < 1 || band.levelHeight < 1 || band.left < 0 ||
        band.top < 0 || band.left >= band.right || band.top >= band.bottom ||
        band.right > band.levelWidth + 1 - stumps->width || band.bottom > band.levelHeight + 1 - stumps->height ||
        band.step < 1 || band.step > 2) {
        return -2;
    }
    const int32_t columns = band.right - band.left - 1 + stumps->width;
    const int32_t rows = band.bottom - band.top - 1 + stumps->height;
    // With a step of 2, each half of a row has space for its sums and for the slack.
    const int32_t rowLength =
        band.step == 1 ? rowLengthFor(columns + 1) : 2 * rowLengthFor((columns + 1) / 2 + 1);
    if (!makeRooms(scratch, (size_t)rowLength * ((size_t)rows + 1) + Slack, (size_t)columns,
                   (size_t)gray.width + 2)) {
        return -1;
    }
    const OCVPlacement *placement = place(stumps, scratch, rowLength, band.step);
    if (!placement) return -1;
    for (int32_t x = 0; x < columns; x++) {
        scratch->columns[x] = sampleOf(band.left + x, band.levelWidth, gray.width);
    }
    memset(scratch->sums, 0, sizeof(int32_t) * (size_t)rowLength);
    memset(scratch->squares, 0, sizeof(int32_t) * (size_t)rowLength);
    for (int32_t y = 0; y < rows; y++) {
        scaleRow(scratch, gray, sampleOf(band.top + y, band.levelHeight, gray.height), columns);
        addRow(scratch, (size_t)y * (size_t)rowLength, rowLength, band.step, columns);
    }
    const OCVSearch search = {
        .cascade = stumps,
        .placement = placement,
        .sums = scratch->sums,
        .squares = scratch->squares,
        .columns = (band.right - band.left + band.step - 1) / band.step,
        .rows = (band.bottom - band.top + band.step - 1) / band.step,
        .lead = band.lead,
        .left = band.left,
        .top = band.top,
        .found = found,
        .capacity = capacity,
    };
#if defined(__x86_64__)
    if (variant == OCVVariantAVX2 && __builtin_cpu_supports("avx2")) return OCVSearchAVX2(&search);
#else
    (void)variant;
#endif
    return OCVSearchBaseline(&search);
}
