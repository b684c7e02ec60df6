// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// The passes of a blur for sums of one size. Included by effects_blur.h once for each size, after it defines PK_SUM,
// PK_SUM_BITS, PK_SUMS, PK_HIGH and PK_NAME.

/// Converts sums to means; half the divisor is already added to the sums.
PK_INLINE HalfBytes PK_NAME(means)(const PK_SUMS *sums, Divider by) {
    PK_SUMS high;
    PK_HIGH(sums, (PK_SUM)by.multiplier, &high);
    return __builtin_convertvector((high + ((*sums - high) >> 1)) >> (PK_SUM)by.shift, HalfBytes);
}

PK_INLINE uint8_t PK_NAME(mean)(PK_SUM sum, Divider by) {
    PK_SUM high = (PK_SUM)((uint64_t)sum * by.multiplier >> PK_SUM_BITS);
    return (uint8_t)((PK_SUM)(high + ((PK_SUM)(sum - high) >> 1)) >> by.shift);
}

/// The sum of the samples before `place`, which may be outside the row. `totals` has the sums for places in the row.
PK_INLINE PK_SUM PK_NAME(sumBefore)(const PK_SUM *totals, ptrdiff_t place, size_t width, size_t step, uint8_t first,
                                    uint8_t last) {
    if (place < 0) return (PK_SUM)(place * first);
    if ((size_t)place <= width) return totals[(size_t)place * step];
    return (PK_SUM)(totals[width * step] + ((size_t)place - width) * last);
}

PK_INLINE void PK_NAME(blurEnd)(uint8_t *row, const PK_SUM *totals, size_t begin, size_t end, size_t width,
                                size_t step, size_t radius, const uint8_t *first, const uint8_t *last, Divider by) {
    for (size_t x = begin; x < end; x++) {
        for (size_t c = 0; c < step; c++) {
            ptrdiff_t low = (ptrdiff_t)x - (ptrdiff_t)radius, high = (ptrdiff_t)(x + radius) + 1;
            PK_SUM sum = (PK_SUM)(PK_NAME(sumBefore)(totals + c, high, width, step, first[c], last[c]) -
                                  PK_NAME(sumBefore)(totals + c, low, width, step, first[c], last[c]) + by.half);
            row[x * step + c] = PK_NAME(mean)(sum, by);
        }
    }
}

PK_INLINE void PK_NAME(blurRowBy)(uint8_t *row, size_t width, size_t step, size_t radius, size_t passes,
                                  PK_SUM *totals) {
    Divider by = dividerBy((uint32_t)(2 * radius + 1), PK_SUM_BITS);
    for (size_t pass = 0; pass < passes; pass++) {
        uint8_t first[4], last[4];
        PK_SUM total[4] = {0};
        memcpy(first, row, step);
        memcpy(last, row + (width - 1) * step, step);
        memset(totals, 0, step * sizeof *totals);
        for (size_t x = 0; x < width; x++) {
            for (size_t c = 0; c < step; c++) {
                total[c] = (PK_SUM)(total[c] + row[x * step + c]);
                totals[(x + 1) * step + c] = total[c];
            }
        }
        // From `begin` to `end`, all neighbors are in the row; the pixels at both ends are computed one by one.
        size_t begin = radius < width ? radius : width;
        size_t end = width - begin > begin ? width - begin : begin;
        size_t bytes = (end - begin) * step, i = 0;
        const PK_SUM *low = totals, *high = bytes ? totals + (2 * radius + 1) * step : totals;
        for (; i + PK_LANES <= bytes; i += PK_LANES) {
            PK_SUMS before, behind;
            memcpy(&before, low + i, sizeof before);
            memcpy(&behind, high + i, sizeof behind);
            behind = behind - before + (PK_SUM)by.half;
            HalfBytes made = PK_NAME(means)(&behind, by);
            memcpy(row + begin * step + i, &made, sizeof made);
        }
        for (; i < bytes; i++) row[begin * step + i] = PK_NAME(mean)((PK_SUM)(high[i] - low[i] + by.half), by);
        PK_NAME(blurEnd)(row, totals, 0, begin, width, step, radius, first, last, by);
        PK_NAME(blurEnd)(row, totals, end, width, width, step, radius, first, last, by);
    }
}

static void PK_NAME(blurRow)(uint8_t *row, size_t width, size_t step, size_t radius, size_t passes, void *scratch) {
    // Each case compiles to its own loop, with a constant step.
    switch (step) {
    case 1: PK_NAME(blurRowBy)(row, width, 1, radius, passes, scratch); break;
    case 2: PK_NAME(blurRowBy)(row, width, 2, radius, passes, scratch); break;
    default: PK_NAME(blurRowBy)(row, width, 4, radius, passes, scratch); break;
    }
}

/// One pass over columns. Rows are contiguous and have `length` bytes, a multiple of 64.
static void PK_NAME(blurColumnsOnce)(const uint8_t *source, uint8_t *target, size_t length, size_t height,
                                     size_t radius, void *scratch) {
    Divider by = dividerBy((uint32_t)(2 * radius + 1), PK_SUM_BITS);
    PK_SUM *sums = scratch;
    // The first row is repeated above the picture, the last row below it.
    size_t inside = radius < height - 1 ? radius : height - 1, below = radius - inside;
    const uint8_t *lowest = source + (height - 1) * length;
    for (size_t i = 0; i < length; i++)
        sums[i] = (PK_SUM)(by.half + (radius + 1) * source[i] + below * lowest[i]);
    for (size_t y = 1; y <= inside; y++)
        for (size_t i = 0; i < length; i++) sums[i] = (PK_SUM)(sums[i] + source[y * length + i]);
    for (size_t y = 0; y < height; y++, target += length) {
        const uint8_t *entering = source + within((ptrdiff_t)(y + radius) + 1, height) * length;
        const uint8_t *leaving = source + within((ptrdiff_t)y - (ptrdiff_t)radius, height) * length;
        for (size_t i = 0; i < length; i += PK_LANES) {
            PK_SUMS sum;
            HalfBytes plus, minus;
            memcpy(&sum, sums + i, sizeof sum);
            memcpy(&plus, entering + i, sizeof plus);
            memcpy(&minus, leaving + i, sizeof minus);
            HalfBytes made = PK_NAME(means)(&sum, by);
            memcpy(target + i, &made, sizeof made);
            sum += __builtin_convertvector(plus, PK_SUMS) - __builtin_convertvector(minus, PK_SUMS);
            memcpy(sums + i, &sum, sizeof sum);
        }
    }
}

#undef PK_SUM
#undef PK_SUM_BITS
#undef PK_SUMS
#undef PK_HIGH
#undef PK_NAME
