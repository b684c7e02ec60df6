// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The arithmetic of effects. Included by CPixelKernels.h, whose rules apply here too, with one exception: where a
/// comment says so, source and target may be the same memory. They must never overlap partially.
#ifndef OBSCURA_PIXEL_EFFECTS_H
#define OBSCURA_PIXEL_EFFECTS_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// The maximum number of nodes in a row of a grid.
enum { PKMostNodes = 512 };

/// A water surface over a picture: for each node of a grid, the displacement of the pixel that is visible there.
typedef struct {
    /// The displacements; in pixels after multiplication by `scaleAcross` and `scaleDown`.
    const float *across, *down;
    size_t columns, rows;
    float scaleAcross, scaleDown;
    /// For each column of nodes: the first pixel at or after it, and the distance from the node to that pixel, from 0
    /// to 1 column of nodes. One more entry for the end of the row.
    const uint32_t *firstPixels;
    const float *fractions;
    /// The number of columns and rows of nodes per pixel.
    float nodesAcross, nodesDown;
} PKSurface;

/// The effects of one variant.
typedef struct {
    /// Computes (source & kept) ^ flipped for groups of four bytes from the start of each row; the lowest byte of
    /// `kept` and `flipped` applies to the first byte. Source and target may be the same.
    void (*mask)(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride,
                 size_t rowBytes, size_t height, uint32_t kept, uint32_t flipped);

    /// Computes highest - (source - lowest), with both differences clamped to 0; `highest` and `lowest` have four
    /// bytes each, as in `mask`. Source and target may be the same.
    void (*reflect)(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride,
                    size_t rowBytes, size_t height, uint32_t highest, uint32_t lowest);

    /// Replaces the first three bytes of each pixel by three weighted sums of them; the fourth byte is unchanged.
    /// Source and target may be the same.
    void (*combine)(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride,
                    size_t width, size_t height, const PKWeights *_Nonnull weights);

    /// Blends a picture over the target, with four bytes per pixel in both: (layer x alpha + target x (255 - alpha))
    /// / 255, rounded. Alpha is the layer's fourth byte times `opacity` / 255, rounded. The fourth byte of the target
    /// is unchanged. `swaps`: red and blue are in the opposite order in the layer.
    void (*blend)(const uint8_t *layer, ptrdiff_t layerStride, uint8_t *target, ptrdiff_t targetStride,
                  size_t width, size_t height, unsigned opacity, int swaps);

    /// Replaces each sample by the mean of 2 x radius + 1 samples of its row, rounded, `passes` times. Outside the
    /// row, its first or last sample is repeated. `step` is the number of bytes per pixel: 1, 2 or 4. `scratch` has
    /// PKBlurRowsScratch bytes. Source and target may be the same.
    void (*blurRows)(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride,
                     size_t width, size_t height, size_t step, size_t radius, size_t passes, void *scratch);

    /// The same for each column of bytes, in place. `scratch` has PKBlurColumnsScratch bytes.
    void (*blurColumns)(uint8_t *target, ptrdiff_t stride, size_t rowBytes, size_t height, size_t radius,
                        size_t passes, void *scratch);

    /// Computes rows `begin` to `end` of a picture of four bytes per pixel, as seen through a surface. Each pixel is
    /// interpolated bilinearly from four, with weights in 1/256; outside the picture, the pixels of its edges are
    /// repeated. Displacements of less than 1/32 of a pixel are ignored.
    void (*refract)(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride,
                    size_t width, size_t height, const PKSurface *surface, size_t begin, size_t end);
} PKEffects;

/// The largest radius of a blur.
enum { PKLargestRadius = 1 << 20 };

/// Returns the number of scratch bytes for `blurRows`; the memory must be aligned to 64 bytes.
static inline size_t PKBlurRowsScratch(size_t width, size_t step) {
    return ((width + 1) * step + 64) * sizeof(uint32_t) + (width * step + 64 + 63) / 64 * 64;
}

/// Returns the number of scratch bytes for `blurColumns`; the memory must be aligned to 64 bytes.
static inline size_t PKBlurColumnsScratch(size_t rowBytes, size_t height) {
    size_t stride = (rowBytes + 63) / 64 * 64;
    return stride * (2 * height + sizeof(uint32_t));
}

/// Returns the effects of the fastest variant that this machine supports. The table is constant.
const PKEffects *PKBestEffects(void);

/// Returns the effects of a variant; null if this machine does not support it. The table is constant.
const PKEffects *_Nullable PKEffectsOf(PKVariant variant);

/// The planes of a picture to write, with luma and chroma of 8 bits.
typedef struct {
    uint8_t *y, *u, *v;
    ptrdiff_t yStride, uStride, vStride;
    size_t width, height;
    /// The distance from one Cb or Cr sample to the next: 1, or 2 if both share a plane.
    size_t chromaStep;
    /// The number of pixels that share a chroma sample, in each direction: 1 or 2.
    size_t columns, rows;
} PKTarget;

/// Blends a picture of four bytes per pixel over one of luma and chroma, as `blend` does. A chroma sample becomes the
/// mean over the pixels of its block, each with its own alpha.
///
/// `weights` convert the first three bytes of a pixel to luma, Cb and Cr. The upper left corner of the layer is at `x`,
/// `y`, and the whole layer must be inside the picture. Only rows `begin` to `end` of the picture are written; both are
/// at boundaries of blocks.
void PKBlendOntoYUV(const uint8_t *layer, ptrdiff_t layerStride, size_t layerWidth, size_t layerHeight, size_t x,
                    size_t y, const PKTarget *target, const PKWeights *_Nonnull weights, unsigned opacity,
                    size_t begin, size_t end);

/// Replaces the pixels of each block of `blockWidth` x `blockHeight` by their mean, rounded; at the right and lower
/// edges, by that of the existing pixels. `step` is the number of bytes per pixel, up to 4; `sums` has space for
/// width x step numbers. Source and target may be the same.
void PKPixellate(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride,
                 size_t width, size_t height, size_t step, size_t blockWidth, size_t blockHeight, uint32_t *sums);

/// Computes one step of waves on a grid of heights. The change of a height is its previous change times `damping`, plus
/// the sum of the differences from it to its four neighbors, times `tension`; at the edges a height is its own
/// neighbor. `before` has the previous heights, and receives the next ones.
///
/// Returns the largest absolute change of a height.
float PKWaveStep(const float *now, float *before, size_t width, size_t height, float tension, float damping);

/// Computes the slopes of a grid of heights: half the difference of the two neighbors; at the edges, half the
/// difference to the only neighbor.
///
/// Returns the largest absolute slope.
float PKWaveSlopes(const float *heights, size_t width, size_t height, float *across, float *down);

/// Maps each of the first three bytes of a pixel by its own table of 256 bytes; the fourth byte is unchanged. Source
/// and target may be the same.
void PKLookUp(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride, size_t width,
              size_t height, const uint8_t *tables);

/// A three-dimensional color lookup table: a cube of nodes.
typedef struct {
    /// Four numbers for each node, 0 to 255: red, green, blue, and one that is not used.
    const float *nodes;
    /// For each value of the first byte, then of the second, then of the third: the lower node, as the offset from the
    /// first node of the cube, and the position of the value between this node and the next one, 0 to 1.
    const uint32_t *places;
    const float *fractions;
    /// The offset from one node to the next, in each direction.
    uint32_t steps[3];
    /// Whether the first byte of a pixel is blue.
    int isBlueFirst;
} PKCube;

/// Maps the first three bytes of each pixel by a cube, interpolated between the four nodes of the tetrahedron that
/// contains them; the fourth byte is unchanged. Source and target may be the same.
void PKLookUpCube(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride,
                  size_t width, size_t height, const PKCube *cube);

#pragma clang assume_nonnull end

#endif
