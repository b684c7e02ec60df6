// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// Arithmetic on pixels, in C because Swift has no per-function target: the same body is compiled for
/// the baseline of the machine and for AVX2, and the caller picks a table of functions at run time.
///
/// What holds for every function here:
/// - Nothing is allocated, kept, locked or reported; nothing fails. Any bytes are valid input.
/// - No byte before the first or after the last sample of a row is read or written, whatever the stride:
///   foreign memory needs no padding. (The end of a row goes through a small buffer on the stack.)
/// - Rows need no alignment, but 16-bit samples lie at even addresses. A stride is the distance in bytes
///   from one row to the next and may be negative. Widths and heights are at least 1.
/// - Source and destination do not overlap.
#ifndef OBSCURA_PIXEL_KERNELS_H
#define OBSCURA_PIXEL_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// How the luma and chroma samples of a row lie in memory.
typedef enum __attribute__((enum_extensibility(closed))) {
    /// `y` only: 8-bit luma.
    PKLayoutGray,
    /// `y`, `u`, `v`: 8 bits, a chroma sample for each pixel.
    PKLayoutPlanarFull,
    /// `y`, `u`, `v`: 8 bits, a chroma sample for two pixels; (width + 1) / 2 samples in a chroma row.
    PKLayoutPlanarHalf,
    /// `y`, and in `u` pairs of Cb and Cr for two pixels: (width + 1) / 2 pairs in a row.
    PKLayoutSemiplanarHalf,
    /// `y` only: groups of Y0 Cb Y1 Cr, (width + 1) / 2 of them.
    PKLayoutYUYV,
    /// `y` only: groups of Cb Y0 Cr Y1, (width + 1) / 2 of them.
    PKLayoutUYVY,
    /// `y`, `u`, `v`: 10 bits in 16-bit words, a chroma sample for each pixel.
    PKLayoutPlanarFull10,
    /// `y`, `u`, `v`: 10 bits in 16-bit words, a chroma sample for two pixels.
    PKLayoutPlanarHalf10,
} PKLayout;

/// A picture to read.
typedef struct {
    const uint8_t *y;
    /// Null where the layout has none.
    const uint8_t *_Nullable u;
    /// Null where the layout has none.
    const uint8_t *_Nullable v;
    ptrdiff_t yStride, uStride, vStride;
    size_t width, height;
    /// 1 where two rows of pixels share a row of chroma, else 0.
    unsigned chromaRowShift;
    PKLayout layout;
} PKSource;

/// One channel of the result, as a weighted sum of Y, Cb - 128 and Cr - 128 (10-bit samples divided by
/// four): the weights in 1/8192, the offset in 1/16 and with what rounding adds. The sum is clamped
/// to 0...255.
typedef struct {
    int16_t y, u, v, offset;
} PKChannel;

/// One channel of luma or chroma as a weighted sum of the three bytes of a pixel: the weights in
/// 1/32768, and so the offset, with the half that rounding adds. The sum is clamped to 0...255.
typedef struct {
    int16_t first, second, third;
    int32_t offset;
} PKWeights;

/// The functions of one variant.
typedef struct {
    /// Luma and chroma to four bytes a pixel: the three channels in order, then 255. Each pixel takes the
    /// chroma sample of its block.
    void (*yuvToRGB)(const PKSource *source, uint8_t *target, ptrdiff_t targetStride,
                     const PKChannel *_Nonnull channels);

    /// As `yuvToRGB`, with the chroma between neighbouring samples, weighted by distance; a sample lies in
    /// the middle of its block. `scratch` has room for 2 x width 16-bit words. For planar layouts only.
    void (*yuvToRGBBilinear)(const PKSource *source, uint8_t *target, ptrdiff_t targetStride,
                             const PKChannel *_Nonnull channels, uint16_t *scratch);

    /// Luma and chroma to one plane of bytes.
    void (*yuvToPlane)(const PKSource *source, uint8_t *target, ptrdiff_t targetStride,
                       const PKChannel *channel);

    /// Four bytes a pixel to one plane of bytes; the fourth byte is not looked at.
    void (*rgbToLuma)(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride,
                      size_t width, size_t height, const PKWeights *weights);

    /// Four bytes a pixel to two planes of bytes, each sample the mean of a block of `columns` x `rows`
    /// pixels (each 1 or 2, rows not above columns; at the right and lower edge, of those that exist).
    /// `step` is the distance from one sample to the next in both targets: 1, or 2 for interleaved chroma,
    /// where `second` is `first` + 1.
    void (*rgbToChroma)(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *first, ptrdiff_t firstStride,
                        uint8_t *second, ptrdiff_t secondStride, size_t step, size_t width, size_t height,
                        size_t columns, size_t rows, const PKWeights *_Nonnull weights);
} PKKernels;

/// For which instructions a table of functions is compiled.
typedef enum __attribute__((enum_extensibility(closed))) {
    /// What every machine of the architecture has: SSE2 on x86-64, NEON on 64-bit ARM.
    PKVariantBaseline,
    PKVariantAVX2,
} PKVariant;

/// The functions of the fastest variant that this machine can run. The table is constant.
const PKKernels *PKBestKernels(void);

/// The functions of a variant; null where this machine cannot run it. The table is constant.
const PKKernels *_Nullable PKKernelsOf(PKVariant variant);

/// 16-bit samples to bytes: (sample x multiplier + addend) >> 21, clamped to 0...255. Samples above 1023
/// count as 1023.
void PKNarrow(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride,
              size_t width, size_t height, int32_t multiplier, int32_t addend);

/// One plane of chroma from `columns` x `rows` pixels for each sample to one for each pixel, where each
/// pixel takes the sample of its block, or (`bilinear`) one between the neighbours. `width` and `height`
/// are those of the target, `columns` and `rows` are 1 or 2, `sampleBytes` 1 or 2.
void PKEnlargeChroma(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride,
                     size_t width, size_t height, size_t columns, size_t rows, size_t sampleBytes,
                     int bilinear);

/// One plane of chroma from one sample for each pixel to the mean of each block of `columns` x `rows`.
/// `width` and `height` are those of the source; at the edges the mean is of the pixels that exist.
void PKShrinkChroma(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride,
                    size_t width, size_t height, size_t columns, size_t rows, size_t sampleBytes);

/// Rows become columns: target row i is source column i. `width` and `height` are those of the source,
/// `sampleBytes` 2 or 4, and rows lie at multiples of it.
void PKTranspose(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride,
                 size_t width, size_t height, size_t sampleBytes);

/// Left and right change places. `sampleBytes` is 2 or 4.
void PKMirror(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride,
              size_t width, size_t height, size_t sampleBytes);

/// Four bytes a pixel to the first three of them.
void PKDropAlpha(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride,
                 size_t width, size_t height);

/// RGB with the codes 16 to 235 to RGB with 0 to 255; a fourth byte stays. `pixelBytes` is 3 or 4.
void PKExpandRange(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride,
                   size_t width, size_t height, size_t pixelBytes);

/// Rows `firstRow` to `endRow` of a picture of four bytes a pixel, each of which comes from the 16 pixels around its
/// place in the source, by cubic convolution (R. Keys, 1981, with a = -1/2). Beyond the edges the outermost pixels go
/// on. `map` has six numbers: the middle of the target's pixel in column x and row y, (x + 1/2, y + 1/2), comes from
/// (m0 x + m1 y + m2, m3 x + m4 y + m5), where the pixel in the corner reaches from (0, 0) to (1, 1); the places are
/// within a long.
void PKWarp(const uint8_t *source, ptrdiff_t sourceStride, size_t sourceWidth, size_t sourceHeight, uint8_t *target,
            ptrdiff_t targetStride, size_t width, size_t firstRow, size_t endRow, const double *map);

/// BGRA to BGRA; alpha stays. `levels` are three tables of 256, for blue, green and red, from 0 to 1; `lift` has 1,024
/// factors by luma; `saturation` spreads the colours from the luma.
void PKEnhance(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride, size_t width,
               size_t height, const float *levels, const float *lift, float saturation);

#pragma clang assume_nonnull end

#include "PKEffects.h"

#endif
