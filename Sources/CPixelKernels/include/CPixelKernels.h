// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// Arithmetic on pixels. It is in C because Swift cannot select an instruction set for a function: the same
/// body is compiled for the baseline of the architecture, for AVX2 and for AVX-512, and the caller selects a
/// table of functions at run time.
///
/// Rules for every function here:
/// - It allocates, retains, locks and reports nothing, and cannot fail. Any bytes are valid input.
/// - It reads and writes no byte before the first or after the last sample of a row, whatever the stride:
///   foreign memory needs no padding. (The end of a row is copied through a small buffer on the stack.)
/// - Rows need no alignment, but 16-bit samples must be at even addresses. A stride is the distance in bytes
///   from one row to the next and may be negative. Widths and heights are at least 1.
/// - Source and target must not overlap.
#ifndef OBSCURA_PIXEL_KERNELS_H
#define OBSCURA_PIXEL_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// The memory layout of the luma and chroma samples of a row.
typedef enum __attribute__((enum_extensibility(closed))) {
    /// `y` only: 8-bit luma.
    PKLayoutGray,
    /// `y`, `u`, `v`: 8 bits, one chroma sample for each pixel.
    PKLayoutPlanarFull,
    /// `y`, `u`, `v`: 8 bits, one chroma sample for two pixels; (width + 1) / 2 samples in a chroma row.
    PKLayoutPlanarHalf,
    /// `y`, and in `u` pairs of Cb and Cr for two pixels: (width + 1) / 2 pairs in a row.
    PKLayoutSemiplanarHalf,
    /// `y` only: groups of Y0 Cb Y1 Cr, (width + 1) / 2 of them.
    PKLayoutYUYV,
    /// `y` only: groups of Cb Y0 Cr Y1, (width + 1) / 2 of them.
    PKLayoutUYVY,
    /// `y`, `u`, `v`: 10 bits in 16-bit words, one chroma sample for each pixel.
    PKLayoutPlanarFull10,
    /// `y`, `u`, `v`: 10 bits in 16-bit words, one chroma sample for two pixels.
    PKLayoutPlanarHalf10,
} PKLayout;

/// A picture to read.
typedef struct {
    const uint8_t *y;
    /// Null if the layout has no such plane.
    const uint8_t *_Nullable u;
    /// Null if the layout has no such plane.
    const uint8_t *_Nullable v;
    ptrdiff_t yStride, uStride, vStride;
    size_t width, height;
    /// 1 if two rows of pixels share a row of chroma, else 0.
    unsigned chromaRowShift;
    PKLayout layout;
} PKSource;

/// One channel of the result, as a weighted sum of Y, Cb - 128 and Cr - 128 (10-bit samples divided by
/// four). The weights are in 1/8192; the offset is in 1/16 and includes the rounding term. The sum is
/// clamped to 0...255.
typedef struct {
    int16_t y, u, v, offset;
} PKChannel;

/// One channel of luma or chroma, as a weighted sum of the three bytes of a pixel. The weights and the
/// offset are in 1/32768; the offset includes the half for rounding. The sum is clamped to 0...255.
typedef struct {
    int16_t first, second, third;
    int32_t offset;
} PKWeights;

/// The functions of one variant.
typedef struct {
    /// Converts luma and chroma to four bytes per pixel: the three channels in order, then 255. Each pixel
    /// uses the chroma sample of its block. The weight of luma and the offset are those of the first channel
    /// for all three.
    void (*yuvToRGB)(const PKSource *source, uint8_t *target, ptrdiff_t targetStride,
                     const PKChannel *_Nonnull channels);

    /// As `yuvToRGB`, with chroma interpolated bilinearly between neighboring samples; a sample is at the
    /// center of its block. `scratch` has space for 2 x width 16-bit words. For planar layouts only.
    void (*yuvToRGBBilinear)(const PKSource *source, uint8_t *target, ptrdiff_t targetStride,
                             const PKChannel *_Nonnull channels, uint16_t *scratch);

    /// Converts luma and chroma to one plane of bytes.
    void (*yuvToPlane)(const PKSource *source, uint8_t *target, ptrdiff_t targetStride,
                       const PKChannel *channel);

    /// Converts four bytes per pixel to one plane of bytes; the fourth byte is ignored.
    void (*rgbToLuma)(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride,
                      size_t width, size_t height, const PKWeights *weights);

    /// Converts four bytes per pixel to two planes of bytes. Each sample is the mean of a block of `columns`
    /// x `rows` pixels (1 or 2 each, `rows` at most `columns`); at the right and lower edges, of the existing pixels.
    /// `step` is the distance from one sample to the next in both targets: 1, or 2 for interleaved chroma,
    /// where `second` is `first` + 1.
    void (*rgbToChroma)(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *first, ptrdiff_t firstStride,
                        uint8_t *second, ptrdiff_t secondStride, size_t step, size_t width, size_t height,
                        size_t columns, size_t rows, const PKWeights *_Nonnull weights);
} PKKernels;

/// The instruction set for which a table of functions is compiled.
typedef enum __attribute__((enum_extensibility(closed))) {
    /// The instructions that every processor of the architecture has: SSE2 on x86-64, NEON on 64-bit ARM.
    PKVariantBaseline,
    PKVariantAVX2,
    PKVariantAVX512,
} PKVariant;

/// Returns the functions of the fastest variant that this machine supports. The table is constant.
const PKKernels *PKBestKernels(void);

/// Returns the functions of a variant; null if this machine does not support it. The table is constant.
const PKKernels *_Nullable PKKernelsOf(PKVariant variant);

/// Converts 16-bit samples to bytes: (sample x multiplier + addend) >> 21, clamped to 0...255. Samples above 1023
/// count as 1023.
void PKNarrow(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride,
              size_t width, size_t height, int32_t multiplier, int32_t addend);

/// Enlarges one plane of chroma from one sample for `columns` x `rows` pixels to one for each pixel. A pixel
/// gets the sample of its block, or (`bilinear`) an interpolation between neighboring samples. `width` and
/// `height` are those of the target; `columns` and `rows` are 1 or 2, `sampleBytes` 1 or 2.
void PKEnlargeChroma(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride,
                     size_t width, size_t height, size_t columns, size_t rows, size_t sampleBytes,
                     int bilinear);

/// Reduces one plane of chroma from one sample for each pixel to the mean of each block of `columns` x `rows`.
/// `width` and `height` are those of the source; at the edges the mean is that of the existing pixels.
void PKShrinkChroma(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride,
                    size_t width, size_t height, size_t columns, size_t rows, size_t sampleBytes);

/// Transposes: row i of the target is column i of the source. `width` and `height` are those of the source.
/// `sampleBytes` is 2 or 4, and the addresses of rows are multiples of it.
void PKTranspose(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride,
                 size_t width, size_t height, size_t sampleBytes);

/// Mirrors horizontally. `sampleBytes` is 2 or 4.
void PKMirror(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride,
              size_t width, size_t height, size_t sampleBytes);

/// Converts four bytes per pixel to three: drops the fourth.
void PKDropAlpha(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride,
                 size_t width, size_t height);

/// The order in which the four bytes of a source pixel are written.
typedef enum __attribute__((enum_extensibility(closed))) {
    /// First, second, third, fourth.
    PKOrderSame,
    /// Third, second, first, fourth.
    PKOrderSwapped,
    /// Fourth, third, second, first.
    PKOrderReversed,
    /// Second, third, fourth, first.
    PKOrderRotated,
} PKOrder;

/// Reorders the bytes of pixels of four bytes. With `opaque`, the fourth byte of the result is 255.
void PKReorder(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride,
               size_t width, size_t height, PKOrder order, int opaque);

/// The pixels of a row or column from which one result is made: `count` from `start` on, at least one. Their weights, of
/// which `middle` is that of each one between the first and the last, have a sum of 1. A single one has the weight `first`.
typedef struct {
    int32_t start;
    int32_t count;
    float first;
    float middle;
    float last;
} PKTaps;

/// Scales pixels of four bytes to `width` x `height`: a result is the weighted mean of the pixels in the taps of its column
/// and its row. `sums` is memory for four values for each pixel of a source row.
void PKScale(const uint8_t *source, ptrdiff_t sourceStride, size_t sourceWidth, const PKTaps *columns, size_t width,
             const PKTaps *rows, size_t height, float *sums, uint8_t *target, ptrdiff_t targetStride);

/// Expands RGB from the codes 16 to 235 to the codes 0 to 255; a fourth byte is unchanged. `pixelBytes` is 3 or 4;
/// the colors begin at byte `firstColor` of a pixel, 0 or 1.
void PKExpandRange(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride,
                   size_t width, size_t height, size_t pixelBytes, size_t firstColor);

/// Computes rows `firstRow` to `endRow` of a picture of four bytes per pixel by an affine transform. Each pixel is
/// interpolated from the 16 pixels around its position in the source by cubic convolution (R. Keys, 1981, with
/// a = -1/2). Outside the source, the pixels of its edges are repeated.
///
/// `map` has six numbers: the target position (x, y) is read from the source position (m0 x + m1 y + m2,
/// m3 x + m4 y + m5). The pixel in the corner covers (0, 0) to (1, 1), so the center of the pixel in column x and row y
/// is (x + 1/2, y + 1/2). All source positions must fit in a long.
void PKWarp(const uint8_t *source, ptrdiff_t sourceStride, size_t sourceWidth, size_t sourceHeight, uint8_t *target,
            ptrdiff_t targetStride, size_t width, size_t firstRow, size_t endRow, const double *map);

/// Adjusts BGRA; alpha is unchanged. `levels` has three tables of 256 values from 0 to 1, for blue, green and red;
/// `lift` has 1,024 factors, indexed by luma; `saturation` multiplies the distance of the colors from luma.
void PKEnhance(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride, size_t width,
               size_t height, const float *levels, const float *lift, float saturation);

#pragma clang assume_nonnull end

#include "PKEffects.h"

#endif
