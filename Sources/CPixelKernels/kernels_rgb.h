// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// The part of the body of every variant that converts pixels to luma and chroma; included by kernels.h.
//
// Here a register holds PK_QUADS pixels, and products are 32 bits wide: the weights are in 1/32768, and the
// sum is rounded once. So the result is the nearest code, except for errors from the rounding of the weights.

#define PK_QUADS (PK_LANES / 2)

/// The bytes of pixels as two 16-bit numbers in each 32 bits: first and third (outer), second and fourth (inner).
typedef struct {
    Words outer, inner;
} Channels;

/// The weights at the positions of the numbers that they apply to, and the offset of the sum.
typedef struct {
    Words outer, inner;
    int32_t offset;
} Weights;

PK_INLINE Weights spread(PKWeights weights) {
    Quads zero = {};
    return (Weights){
        (Words)(zero + ((uint32_t)(uint16_t)weights.first | (uint32_t)(uint16_t)weights.third << 16)),
        (Words)(zero + (uint32_t)(uint16_t)weights.second),
        weights.offset,
    };
}

PK_INLINE Channels loadPixels(const uint8_t *from) {
    Quads pixels;
    memcpy(&pixels, from, sizeof pixels);
    return (Channels){(Words)(pixels & 0xff00ff), (Words)(pixels >> 8 & 0xff00ff)};
}

PK_INLINE Sums weighted(Channels channels, const Weights *weights) {
    return pairSums(channels.outer, weights->outer) + pairSums(channels.inner, weights->inner);
}

/// Converts sums of `2 ^ shift` pixels each to bytes.
PK_INLINE HalfBytes rounded(Sums front, Sums back, const Weights *weights, int shift) {
    int32_t offset = weights->offset << shift;
    front = (front + offset) >> (15 + shift);
    back = (back + offset) >> (15 + shift);
    Wide both;
    memcpy(&both, (Sums[]){front, back}, sizeof both);
    return __builtin_convertvector(clampedToByte(__builtin_convertvector(both, Words)), HalfBytes);
}

/// Adds neighboring pairs of PK_LANES numbers.
PK_INLINE Sums halved(Sums front, Sums back) {
#if PK_LANES == 32
    return __builtin_shufflevector(front, back, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30) +
           __builtin_shufflevector(front, back, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
#elif PK_LANES == 16
    return __builtin_shufflevector(front, back, 0, 2, 4, 6, 8, 10, 12, 14) +
           __builtin_shufflevector(front, back, 1, 3, 5, 7, 9, 11, 13, 15);
#else
    return __builtin_shufflevector(front, back, 0, 2, 4, 6) + __builtin_shufflevector(front, back, 1, 3, 5, 7);
#endif
}

PK_INLINE HalfBytes lumaStep(const uint8_t *from, const Weights *weights) {
    Sums front = weighted(loadPixels(from), weights), back = weighted(loadPixels(from + 4 * PK_QUADS), weights);
    return rounded(front, back, weights, 0);
}

static void rgbToLuma(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride,
                      size_t width, size_t height, const PKWeights *given) {
    Weights weights = spread(*given);
    for (size_t row = 0; row < height; row++, source += sourceStride, target += targetStride) {
        size_t x = 0;
        for (; x + PK_LANES <= width; x += PK_LANES) {
            HalfBytes luma = lumaStep(source + 4 * x, &weights);
            memcpy(target + x, &luma, sizeof luma);
        }
        if (x == width) continue;
        uint8_t rest[4 * PK_LANES] = {0};
        memcpy(rest, source + 4 * x, 4 * (width - x));
        HalfBytes luma = lumaStep(rest, &weights);
        memcpy(target + x, &luma, width - x);
    }
}

/// The pixels of one register, added over `rows` rows.
PK_INLINE Channels columnSums(const uint8_t *upper, const uint8_t *lower, size_t rows) {
    Channels sums = loadPixels(upper);
    if (rows == 2) {
        Channels more = loadPixels(lower);
        sums.outer += more.outer;
        sums.inner += more.inner;
    }
    return sums;
}

/// Computes PK_LANES samples of Cb and of Cr.
PK_INLINE void chromaStep(const uint8_t *upper, const uint8_t *lower, HalfBytes *first, HalfBytes *second,
                          size_t columns, size_t rows, const Weights *weights) {
    size_t registerBytes = 4 * PK_QUADS;
    HalfBytes *targets[2] = {first, second};
    Channels sums[4];
    for (size_t i = 0; i < 2 * columns; i++)
        sums[i] = columnSums(upper + i * registerBytes, lower + i * registerBytes, rows);
    for (size_t i = 0; i < 2; i++) {
        Sums front = weighted(sums[0], &weights[i]), back = weighted(sums[1], &weights[i]);
        if (columns == 2) {
            front = halved(front, back);
            back = halved(weighted(sums[2], &weights[i]), weighted(sums[3], &weights[i]));
        }
        *targets[i] = rounded(front, back, &weights[i], (int)(columns - 1 + rows - 1));
    }
}

PK_INLINE void chromaRow(const uint8_t *upper, const uint8_t *lower, uint8_t *first, uint8_t *second,
                         size_t step, size_t width, size_t columns, size_t rows, const Weights *weights) {
    size_t samples = (width + columns - 1) / columns;
    HalfBytes u, v;
    size_t x = 0;
    for (; (x + PK_LANES) * columns <= width; x += PK_LANES) {
        chromaStep(upper + 4 * columns * x, lower + 4 * columns * x, &u, &v, columns, rows, weights);
        if (step == 1) {
            memcpy(first + x, &u, sizeof u);
            memcpy(second + x, &v, sizeof v);
        } else {
            UWords pairs = __builtin_convertvector(u, UWords) | __builtin_convertvector(v, UWords) << 8;
            memcpy(first + 2 * x, &pairs, sizeof pairs);
        }
    }
    if (x == samples) return;
    uint8_t upperRest[8 * PK_LANES] = {0}, lowerRest[8 * PK_LANES] = {0};
    size_t pixels = width - columns * x;
    memcpy(upperRest, upper + 4 * columns * x, 4 * pixels);
    memcpy(lowerRest, lower + 4 * columns * x, 4 * pixels);
    if (columns == 2 && pixels % 2 == 1) {
        // The last block has only one column: it is doubled, which does not change the mean.
        memcpy(upperRest + 4 * pixels, upperRest + 4 * (pixels - 1), 4);
        memcpy(lowerRest + 4 * pixels, lowerRest + 4 * (pixels - 1), 4);
    }
    chromaStep(upperRest, lowerRest, &u, &v, columns, rows, weights);
    for (size_t i = 0; x + i < samples; i++) {
        first[step * (x + i)] = u[i];
        second[step * (x + i)] = v[i];
    }
}

static void rgbToChroma(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *first, ptrdiff_t firstStride,
                        uint8_t *second, ptrdiff_t secondStride, size_t step, size_t width, size_t height,
                        size_t columns, size_t rows, const PKWeights *given) {
    Weights weights[2] = {spread(given[0]), spread(given[1])};
    for (size_t row = 0; row < height; row += rows) {
        const uint8_t *upper = source + (ptrdiff_t)row * sourceStride;
        const uint8_t *lower = rows == 2 && row + 1 < height ? upper + sourceStride : upper;
        if (columns == 1) {
            chromaRow(upper, lower, first, second, step, width, 1, 1, weights);
        } else if (rows == 1) {
            chromaRow(upper, lower, first, second, step, width, 2, 1, weights);
        } else {
            chromaRow(upper, lower, first, second, step, width, 2, 2, weights);
        }
        first += firstStride;
        second += secondStride;
    }
}
