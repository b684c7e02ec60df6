// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// A picture seen through moving water. Included by effects.h.
//
// Between two nodes of a row, the place that is seen goes on by the same step from pixel to pixel, so that all that is
// left to do for a pixel is to mix four others. A register of PK_LANES 16-bit numbers holds two neighbours for each of
// PK_SPOTS pixels. Numbers of the arithmetic leave 16 bits on the way, but what they come to does not.

#define PK_SPOTS (PK_LANES / 8)

/// Places and steps are in 1/65536 of a pixel.
enum { One = 1 << 16, LeastShift = One / 32 };

typedef uint64_t Spots __attribute__((vector_size(PK_LANES)));

PK_INLINE uint64_t eightBytes(const uint8_t *from) {
    uint64_t bytes;
    memcpy(&bytes, from, sizeof bytes);
    return bytes;
}

/// (from x (256 - weight) + to x weight + 128) / 256; at most 255 x 256 + 128 before it is divided.
PK_INLINE UWords between(UWords from, UWords to, UWords weight) {
    return ((from << 8) + (to - from) * weight + 128) >> 8;
}

/// Two neighbours in each of two rows, mixed by the weights of the lower and of the right ones in 1/256: the first
/// four bytes of eight.
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

/// Pixels whose neighbours may lie outside of the picture.
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

/// Pixels whose neighbours all lie in the picture. A function of its own, for the sake of its registers.
static __attribute__((noinline)) void refractInside(const uint8_t *base, ptrdiff_t stride, uint8_t *to, size_t count,
                                                    int64_t x, int64_t y, int64_t stepX, int64_t stepY) {
    // Behind the point, 16 bits that come round as places do.
#if PK_LANES == 16
    UWords spot = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1};
#else
    UWords spot = {0};
#endif
    UWords partX = spot * (uint16_t)stepX + (uint16_t)x, partY = spot * (uint16_t)stepY + (uint16_t)y;
    uint16_t stepPartX = (uint16_t)(PK_SPOTS * stepX), stepPartY = (uint16_t)(PK_SPOTS * stepY);
    for (; count >= PK_SPOTS; count -= PK_SPOTS, to += 4 * PK_SPOTS) {
        // Element by element, not through memory: a register cannot be loaded of what was stored in parts just now.
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
    // One is left.
    const uint8_t *place = base + (y >> 16) * stride + 4 * (x >> 16);
    Spots upper = {eightBytes(place)}, lower = {eightBytes(place + stride)};
    Spots made = (Spots)mixPixels((HalfBytes)upper, (HalfBytes)lower, partX >> 8, partY >> 8);
    uint32_t pixel = (uint32_t)made[0];
    memcpy(to, &pixel, 4);
}

/// Whether a place and the pixel behind it lie inside.
PK_INLINE int isInside(int64_t place, int64_t last) {
    return place >= 0 && place < last * One;
}

PK_INLINE void refractSpan(const Picture *from, uint8_t *to, size_t count, int64_t x, int64_t y, int64_t stepX,
                           int64_t stepY) {
    // Weights are rounded to the nearest 1/256.
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

/// The shifts of the nodes for a row of pixels that lies between two rows of them.
static void shiftsOfRow(const float *upper, const float *lower, float fraction, float scale, size_t count,
                        int32_t *restrict shifts) {
    for (size_t i = 0; i < count; i++) {
        float shift = (upper[i] + (lower[i] - upper[i]) * fraction) * scale;
        // No water does that; and the difference of two must have room in 32 bits.
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
    // What stays is copied in one piece.
    size_t still = 0;
    const uint8_t *here = from->base + (ptrdiff_t)row * from->stride;
    for (size_t i = 0; i < columns; i++) {
        size_t begin = surface->firstPixels[i], end = surface->firstPixels[i + 1];
        if (begin == end) continue;
        // Rows are not read in order, so that the machine does not see ahead what will be needed. (Nothing is read
        // below the last one: a hint reaches no memory.)
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
