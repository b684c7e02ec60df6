// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// A picture seen through moving water. Included by effects.h.
//
// Between two nodes of a row, the source position advances by a constant step from pixel to pixel, so that the only
// work for a pixel is to interpolate between four others. A register of PK_LANES 16-bit numbers holds two neighbors for
// each of PK_SPOTS pixels. Intermediate results overflow 16 bits, but the final results fit.

#define PK_SPOTS (PK_LANES / 8)

/// Positions and steps are in 1/65536 of a pixel.
enum { One = 1 << 16, LeastShift = One / 32 };

typedef uint64_t Spots __attribute__((vector_size(PK_LANES)));

PK_INLINE uint64_t eightBytes(const uint8_t *from) {
    uint64_t bytes;
    memcpy(&bytes, from, sizeof bytes);
    return bytes;
}

/// (from x (256 - weight) + to x weight + 128) / 256; the dividend is at most 255 x 256 + 128.
PK_INLINE UWords between(UWords from, UWords to, UWords weight) {
    return ((from << 8) + (to - from) * weight + 128) >> 8;
}

/// Interpolates between two neighbors in each of two rows; `x` and `y` are the weights of the right and of the lower
/// pixels, in 1/256. The result is the first four bytes of each eight.
PK_INLINE HalfBytes mixPixels(HalfBytes upper, HalfBytes lower, UWords x, UWords y) {
    UWords left = between(__builtin_convertvector(upper, UWords), __builtin_convertvector(lower, UWords), y);
#if PK_LANES == 16
    UWords right = __builtin_shufflevector(left, left, 4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11);
#else
    UWords right = __builtin_shufflevector(left, left, 4, 5, 6, 7, 0, 1, 2, 3);
#endif
    return __builtin_convertvector(between(left, right, x), HalfBytes);
}

typedef struct {
    const uint8_t *base;
    ptrdiff_t stride;
    int64_t lastX, lastY;
} Picture;

PK_INLINE int64_t kept(int64_t place, int64_t last) {
    return place < 0 ? 0 : place > last * One ? last * One : place;
}

/// Computes pixels whose neighbors may be outside the picture.
static void refractWithCare(const Picture *picture, uint8_t *to, size_t count, int64_t x, int64_t y, int64_t stepX,
                            int64_t stepY) {
    const Picture from = *picture;
    for (size_t i = 0; i < count; i++, x += stepX, y += stepY) {
        int64_t insideX = kept(x, from.lastX), insideY = kept(y, from.lastY);
        ptrdiff_t column = insideX >> 16, row = insideY >> 16;
        ptrdiff_t next = column < from.lastX ? column + 1 : column;
        const uint8_t *upper = from.base + row * from.stride;
        const uint8_t *lower = row < from.lastY ? upper + from.stride : upper;
        HalfBytes above = {}, below = {};
        memcpy(&above, upper + 4 * column, 4);
        memcpy((uint8_t *)&above + 4, upper + 4 * next, 4);
        memcpy(&below, lower + 4 * column, 4);
        memcpy((uint8_t *)&below + 4, lower + 4 * next, 4);
        HalfBytes made = mixPixels(above, below, (UWords){} + (uint16_t)(insideX >> 8 & 255),
                                   (UWords){} + (uint16_t)(insideY >> 8 & 255));
        memcpy(to + 4 * i, &made, 4);
    }
}

/// Computes pixels whose neighbors are all inside the picture. Not inlined, so that it gets enough registers.
static __attribute__((noinline)) void refractInside(const uint8_t *base, ptrdiff_t stride, uint8_t *to, size_t count,
                                                    int64_t x, int64_t y, int64_t stepX, int64_t stepY) {
    // The fractional 16 bits of the positions; they wrap around as the positions advance.
#if PK_LANES == 16
    UWords spot = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1};
#else
    UWords spot = {0};
#endif
    UWords partX = spot * (uint16_t)stepX + (uint16_t)x, partY = spot * (uint16_t)stepY + (uint16_t)y;
    uint16_t stepPartX = (uint16_t)(PK_SPOTS * stepX), stepPartY = (uint16_t)(PK_SPOTS * stepY);
    for (; count >= PK_SPOTS; count -= PK_SPOTS, to += 4 * PK_SPOTS) {
        // By elements, not through memory: a load that spans several recent smaller stores would stall.
        Spots upper, lower;
        for (size_t i = 0; i < PK_SPOTS; i++, x += stepX, y += stepY) {
            const uint8_t *place = base + (y >> 16) * stride + 4 * (x >> 16);
            upper[i] = eightBytes(place);
            lower[i] = eightBytes(place + stride);
        }
        Spots made = (Spots)mixPixels((HalfBytes)upper, (HalfBytes)lower, partX >> 8, partY >> 8);
        for (size_t i = 0; i < PK_SPOTS; i++) {
            uint32_t pixel = (uint32_t)made[i];
            memcpy(to + 4 * i, &pixel, 4);
        }
        partX += stepPartX;
        partY += stepPartY;
    }
    if (count == 0) return;
    // One pixel is left.
    const uint8_t *place = base + (y >> 16) * stride + 4 * (x >> 16);
    Spots upper = {eightBytes(place)}, lower = {eightBytes(place + stride)};
    Spots made = (Spots)mixPixels((HalfBytes)upper, (HalfBytes)lower, partX >> 8, partY >> 8);
    uint32_t pixel = (uint32_t)made[0];
    memcpy(to, &pixel, 4);
}

/// Whether a position and the next pixel are inside the picture.
PK_INLINE int isInside(int64_t place, int64_t last) {
    return place >= 0 && place < last * One;
}

PK_INLINE void refractSpan(const Picture *from, uint8_t *to, size_t count, int64_t x, int64_t y, int64_t stepX,
                           int64_t stepY) {
    // Rounds the weights to the nearest 1/256.
    x += 128;
    y += 128;
    int64_t endX = x + (int64_t)(count - 1) * stepX, endY = y + (int64_t)(count - 1) * stepY;
    if (isInside(x, from->lastX) && isInside(endX, from->lastX) && isInside(y, from->lastY) &&
        isInside(endY, from->lastY)) {
        refractInside(from->base, from->stride, to, count, x, y, stepX, stepY);
    } else {
        refractWithCare(from, to, count, x, y, stepX, stepY);
    }
}

/// Interpolates the shifts of the nodes for a row of pixels between two rows of nodes.
static void shiftsOfRow(const float *upper, const float *lower, float fraction, float scale, size_t count,
                        int32_t *restrict shifts) {
    for (size_t i = 0; i < count; i++) {
        float shift = (upper[i] + (lower[i] - upper[i]) * fraction) * scale;
        // Larger than any real shift; the difference of two shifts must fit in 32 bits.
        shift = shift > 8192 ? 8192 : shift < -8192 ? -8192 : shift;
        int32_t fixed = (int32_t)(shift * (One - 1));
        shifts[i] = fixed > -LeastShift && fixed < LeastShift ? 0 : fixed;
    }
}

static void refractRow(const Picture *from, uint8_t *to, size_t width, size_t row, const PKSurface *surface) {
    int32_t across[PKMostNodes], down[PKMostNodes];
    size_t columns = surface->columns;
    float place = (float)row * surface->nodesDown;
    size_t node = (size_t)place < surface->rows - 1 ? (size_t)place : surface->rows - 1;
    size_t next = node + 1 < surface->rows ? node + 1 : node;
    float fraction = place - (float)node;
    shiftsOfRow(surface->across + node * columns, surface->across + next * columns, fraction, surface->scaleAcross,
                columns, across);
    shiftsOfRow(surface->down + node * columns, surface->down + next * columns, fraction, surface->scaleDown, columns,
                down);
    // Consecutive pixels without a shift are copied together.
    size_t still = 0;
    const uint8_t *here = from->base + (ptrdiff_t)row * from->stride;
    for (size_t i = 0; i < columns; i++) {
        size_t begin = surface->firstPixels[i], end = surface->firstPixels[i + 1];
        if (begin == end) continue;
        // Rows are not read in order, so the hardware prefetcher does not predict the reads. (An address below the last
        // row is harmless: a prefetch of an invalid address has no effect.)
        __builtin_prefetch((const void *)((uintptr_t)here + (uintptr_t)(24 * from->stride) + 4 * begin));
        size_t other = i + 1 < columns ? i + 1 : i;
        if ((across[i] | across[other] | down[i] | down[other]) == 0) continue;
        if (still < begin) memcpy(to + 4 * still, here + 4 * still, 4 * (begin - still));
        still = end;
        float behind = surface->fractions[i], growthX = (float)(across[other] - across[i]),
              growthY = (float)(down[other] - down[i]);
        int64_t x = (int64_t)begin * One + across[i] + (int32_t)(growthX * behind);
        int64_t y = (int64_t)row * One + down[i] + (int32_t)(growthY * behind);
        refractSpan(from, to + 4 * begin, end - begin, x, y, One + (int32_t)(growthX * surface->nodesAcross),
                    (int32_t)(growthY * surface->nodesAcross));
    }
    if (still < width) memcpy(to + 4 * still, here + 4 * still, 4 * (width - still));
}

static void refract(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride,
                    size_t width, size_t height, const PKSurface *surface, size_t begin, size_t end) {
    Picture from = {source, sourceStride, (int64_t)width - 1, (int64_t)height - 1};
    for (size_t row = begin; row < end; row++)
        refractRow(&from, target + (ptrdiff_t)row * targetStride, width, row, surface);
}
