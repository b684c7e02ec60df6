// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// Box blur with running sums: the cost does not depend on the radius. Included by effects.h.
//
// Sums of up to 255 samples fit in 16 bits, and a register holds twice as many numbers of 16 bits as of 32. Larger
// windows use 32 bits. Sums over whole rows may overflow: only their differences are used, and these are correct.

typedef uint64_t UDouble __attribute__((vector_size(8 * PK_LANES)));

/// Divides by an odd number above 1, exactly: q = high(multiplier x sum), then (q + (sum - q) / 2) >> shift.
/// (Granlund and Montgomery, "Division by Invariant Integers using Multiplication", 1994, figure 4.1.)
typedef struct {
    uint32_t multiplier;
    int shift;
    /// Half the divisor; added to a sum, it rounds the quotient to the nearest.
    uint32_t half;
} Divider;

PK_INLINE Divider dividerBy(uint32_t divisor, int bits) {
    int length = 32 - __builtin_clz(divisor);
    uint64_t multiplier = (((uint64_t)1 << length) - divisor) * ((uint64_t)1 << bits) / divisor + 1;
    return (Divider){(uint32_t)multiplier, length - 1, divisor / 2};
}

// The upper halves of the products. By pointer, because a value may be larger than a register.

PK_INLINE void highUWords(const UWords *sums, uint16_t by, UWords *high) {
    UWords all = (UWords){} + by;
#if defined(__x86_64__) && PK_LANES == 16
    *high = (UWords)__builtin_ia32_pmulhuw256((Words)*sums, (Words)all);
#elif defined(__x86_64__)
    *high = (UWords)__builtin_ia32_pmulhuw128((Words)*sums, (Words)all);
#else
    UWide product = __builtin_convertvector(*sums, UWide) * __builtin_convertvector(all, UWide);
    *high = __builtin_convertvector(product >> 16, UWords);
#endif
}

PK_INLINE void highUWide(const UWide *sums, uint32_t by, UWide *high) {
    UDouble product = __builtin_convertvector(*sums, UDouble) * ((UDouble){} + (uint64_t)by);
    *high = __builtin_convertvector(product >> 32, UWide);
}

/// The index of the row or column at `place`, where the first and the last are repeated indefinitely.
PK_INLINE size_t within(ptrdiff_t place, size_t count) {
    if (place < 0) return 0;
    return (size_t)place < count ? (size_t)place : count - 1;
}

#define PK_SUM uint16_t
#define PK_SUM_BITS 16
#define PK_SUMS UWords
#define PK_HIGH highUWords
#define PK_NAME(name) name##16
#include "effects_blur_passes.h"

#define PK_SUM uint32_t
#define PK_SUM_BITS 32
#define PK_SUMS UWide
#define PK_HIGH highUWide
#define PK_NAME(name) name##32
#include "effects_blur_passes.h"

static void blurRows(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride,
                     size_t width, size_t height, size_t step, size_t radius, size_t passes, void *scratch) {
    for (size_t row = 0; row < height; row++, source += sourceStride, target += targetStride) {
        if (target != source) memcpy(target, source, width * step);
        if (radius <= 127) {
            blurRow16(target, width, step, radius, passes, scratch);
        } else {
            blurRow32(target, width, step, radius, passes, scratch);
        }
    }
}

static void blurColumns(uint8_t *target, ptrdiff_t stride, size_t rowBytes, size_t height, size_t radius,
                        size_t passes, void *scratch) {
    size_t length = (rowBytes + 63) / 64 * 64;
    uint8_t *from = scratch, *to = from + length * height;
    for (size_t row = 0; row < height; row++) memcpy(from + row * length, target + (ptrdiff_t)row * stride, rowBytes);
    for (size_t pass = 0; pass < passes; pass++) {
        void *sums = (uint8_t *)scratch + 2 * length * height;
        if (radius <= 127) {
            blurColumnsOnce16(from, to, length, height, radius, sums);
        } else {
            blurColumnsOnce32(from, to, length, height, radius, sums);
        }
        uint8_t *made = to;
        to = from;
        from = made;
    }
    for (size_t row = 0; row < height; row++) memcpy(target + (ptrdiff_t)row * stride, from + row * length, rowBytes);
}
