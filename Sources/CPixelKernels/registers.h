// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// The registers of a variant, and the operations for which a compiler does not find the best instructions by itself;
// included by kernels.h, which says what PK_LANES is.

#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define PK_INLINE static inline __attribute__((always_inline))

typedef int16_t Words __attribute__((vector_size(2 * PK_LANES)));
typedef uint16_t UWords __attribute__((vector_size(2 * PK_LANES)));
typedef int32_t Wide __attribute__((vector_size(4 * PK_LANES)));
typedef uint32_t UWide __attribute__((vector_size(4 * PK_LANES)));
typedef uint8_t Bytes __attribute__((vector_size(2 * PK_LANES)));
typedef uint8_t HalfBytes __attribute__((vector_size(PK_LANES)));
typedef int32_t Sums __attribute__((vector_size(2 * PK_LANES)));
typedef uint32_t Quads __attribute__((vector_size(2 * PK_LANES)));

PK_INLINE Words clampedToByte(Words sum) {
    Words zero = {};
    return __builtin_elementwise_min(__builtin_elementwise_max(sum, zero), zero + (int16_t)255);
}

#if defined(__x86_64__)

#if PK_LANES == 32
#define PK_X86(name) _mm512_##name
typedef __m512i Register;
#elif PK_LANES == 16
#define PK_X86(name) _mm256_##name
typedef __m256i Register;
#else
#define PK_X86(name) _mm_##name
typedef __m128i Register;
#endif

/// The upper 16 bits of the products.
PK_INLINE Words highProduct(Words samples, int16_t weight) {
    return (Words)PK_X86(mulhi_epi16)((Register)samples, (Register)((Words){} + weight));
}

/// The products of numbers and weights, added in neighboring pairs.
PK_INLINE Sums pairSums(Words numbers, Words weights) {
    return (Sums)PK_X86(madd_epi16)((Register)numbers, (Register)weights);
}

/// The bytes of one channel of a step. The instructions of x86-64 work within each 16 bytes of a register: there, the
/// bytes at even positions precede those at odd positions.
typedef Register Packed;

/// Clamps the sums to bytes.
PK_INLINE Packed packed(Words even, Words odd) {
    return PK_X86(packus_epi16)((Register)even, (Register)odd);
}

PK_INLINE void storeBytes(uint8_t *to, Packed bytes) {
    Register ordered = PK_X86(unpacklo_epi8)(bytes, PK_X86(unpackhi_epi64)(bytes, bytes));
    memcpy(to, &ordered, sizeof ordered);
}

/// Stores pixels, four in each 16 bytes of a register: first those of the first 16 bytes of all registers.
PK_INLINE void storeQuads(uint8_t *to, Register quads0, Register quads1, Register quads2, Register quads3) {
#if PK_LANES == 32
    Register lowFront = _mm512_shuffle_i64x2(quads0, quads1, 0x44);
    Register highFront = _mm512_shuffle_i64x2(quads0, quads1, 0xee);
    Register lowBack = _mm512_shuffle_i64x2(quads2, quads3, 0x44);
    Register highBack = _mm512_shuffle_i64x2(quads2, quads3, 0xee);
    Register ordered[4] = {
        _mm512_shuffle_i64x2(lowFront, lowBack, 0x88), _mm512_shuffle_i64x2(lowFront, lowBack, 0xdd),
        _mm512_shuffle_i64x2(highFront, highBack, 0x88), _mm512_shuffle_i64x2(highFront, highBack, 0xdd),
    };
#elif PK_LANES == 16
    Register ordered[4] = {
        _mm256_permute2x128_si256(quads0, quads1, 0x20), _mm256_permute2x128_si256(quads2, quads3, 0x20),
        _mm256_permute2x128_si256(quads0, quads1, 0x31), _mm256_permute2x128_si256(quads2, quads3, 0x31),
    };
#else
    Register ordered[4] = {quads0, quads1, quads2, quads3};
#endif
    memcpy(to, ordered, sizeof ordered);
}

PK_INLINE void storePixels(uint8_t *to, Packed first, Packed second, Packed third) {
    Packed alpha = PK_X86(set1_epi8)(-1);
    Register evenFront = PK_X86(unpacklo_epi8)(first, second), oddFront = PK_X86(unpackhi_epi8)(first, second);
    Register evenBack = PK_X86(unpacklo_epi8)(third, alpha), oddBack = PK_X86(unpackhi_epi8)(third, alpha);
    Register lowEven = PK_X86(unpacklo_epi16)(evenFront, evenBack);
    Register highEven = PK_X86(unpackhi_epi16)(evenFront, evenBack);
    Register lowOdd = PK_X86(unpacklo_epi16)(oddFront, oddBack);
    Register highOdd = PK_X86(unpackhi_epi16)(oddFront, oddBack);
    storeQuads(to, PK_X86(unpacklo_epi32)(lowEven, lowOdd), PK_X86(unpackhi_epi32)(lowEven, lowOdd),
               PK_X86(unpacklo_epi32)(highEven, highOdd), PK_X86(unpackhi_epi32)(highEven, highOdd));
}

#else

/// The upper 16 bits of the products.
PK_INLINE Words highProduct(Words samples, int16_t weight) {
    Wide product = __builtin_convertvector(samples, Wide) * weight;
    return __builtin_convertvector(product >> 16, Words);
}

/// The products of numbers and weights, added in neighboring pairs.
PK_INLINE Sums pairSums(Words numbers, Words weights) {
    Sums low = ((Sums)numbers << 16 >> 16) * ((Sums)weights << 16 >> 16);
    return low + ((Sums)numbers >> 16) * ((Sums)weights >> 16);
}

/// The bytes of one channel of a step, in order.
typedef Bytes Packed;

/// Clamps the sums to bytes.
PK_INLINE Packed packed(Words even, Words odd) {
    return (Bytes)(clampedToByte(even) | clampedToByte(odd) << 8);
}

PK_INLINE void storeBytes(uint8_t *to, Packed bytes) {
    memcpy(to, &bytes, sizeof bytes);
}

PK_INLINE void storePixels(uint8_t *to, Packed first, Packed second, Packed third) {
#define PK_LOW_BYTES(a, b) \
    (Words)__builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define PK_HIGH_BYTES(a, b) \
    (Words)__builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#define PK_LOW_WORDS(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define PK_HIGH_WORDS(a, b) __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
    Bytes alpha = (Bytes){} + (uint8_t)255;
    Words lowFront = PK_LOW_BYTES(first, second), highFront = PK_HIGH_BYTES(first, second);
    Words lowBack = PK_LOW_BYTES(third, alpha), highBack = PK_HIGH_BYTES(third, alpha);
    Words ordered[4] = {
        PK_LOW_WORDS(lowFront, lowBack), PK_HIGH_WORDS(lowFront, lowBack),
        PK_LOW_WORDS(highFront, highBack), PK_HIGH_WORDS(highFront, highBack),
    };
    memcpy(to, ordered, sizeof ordered);
}

#endif
