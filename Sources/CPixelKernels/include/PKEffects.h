// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// Arithmetic of effects; included by CPixelKernels.h, and what holds there holds here. Beyond that, a target
/// may be the very source where it says so, never a part of it that lies elsewhere.
#ifndef OBSCURA_PIXEL_EFFECTS_H
#define OBSCURA_PIXEL_EFFECTS_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// The largest number of nodes in a row of a grid.
enum { PKMostNodes = 512 };

/// A surface of water over a picture: at each node of a grid, where in the picture its pixel is seen.
typedef struct {
    /// In pixels once they are multiplied by `scaleAcross` and `scaleDown`.
    const float *across, *down;
    size_t columns, rows;
    float scaleAcross, scaleDown;
    /// For each column of nodes the first pixel at or behind it, and how far behind, from 0 to 1 column; one more
    /// for the end of the row.
    const uint32_t *firstPixels;
    const float *fractions;
    /// Columns and rows of nodes for each pixel.
    float nodesAcross, nodesDown;
} PKSurface;

/// The effects of one variant.
typedef struct {
    /// (source & kept) ^ flipped, four bytes at a time from the beginning of each row; the lowest byte of the
    /// numbers is for the first byte. Source and target may be the same.
    void (*mask)(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride,
                 size_t rowBytes, size_t height, uint32_t kept, uint32_t flipped);

    /// highest - (source - lowest) where no difference is below 0, with four bytes of each as `mask` has them.
    /// Source and target may be the same.
    void (*reflect)(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride,
                    size_t rowBytes, size_t height, uint32_t highest, uint32_t lowest);

    /// Four bytes a pixel: the first three become three sums of them, the fourth stays. Source and target may be
    /// the same.
    void (*combine)(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride,
                    size_t width, size_t height, const PKWeights *_Nonnull weights);

    /// Lays a picture over the target, four bytes a pixel in both: (layer x alpha + target x (255 - alpha)) / 255,
    /// rounded; alpha is the layer's fourth byte times `opacity` / 255, rounded. The fourth byte of the target
    /// stays. `swaps`: the layer has red where the target has blue.
    void (*blend)(const uint8_t *layer, ptrdiff_t layerStride, uint8_t *target, ptrdiff_t targetStride,
                  size_t width, size_t height, unsigned opacity, int swaps);

    /// The mean of 2 x radius + 1 samples of each row, rounded, `passes` times; beyond the ends lie the first and
    /// the last one. `step` is the bytes of a pixel, 1, 2 or 4. `scratch` has PKBlurRowsScratch bytes. Source and
    /// target may be the same.
    void (*blurRows)(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride,
                     size_t width, size_t height, size_t step, size_t radius, size_t passes, void *scratch);

    /// The same of each column of bytes, in place. `scratch` has PKBlurColumnsScratch bytes.
    void (*blurColumns)(uint8_t *target, ptrdiff_t stride, size_t rowBytes, size_t height, size_t radius,
                        size_t passes, void *scratch);

    /// Rows `begin` to `end` of a picture of four bytes a pixel, seen through a surface: between four pixels, weighted
    /// by distance in 1/256; beyond the edges lie the outermost pixels. What moves by less than 1/32 of a pixel stays.
    void (*refract)(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride,
                    size_t width, size_t height, const PKSurface *surface, size_t begin, size_t end);
} PKEffects;

/// The largest radius of a blur.
enum { PKLargestRadius = 1 << 20 };

/// The bytes that `blurRows` needs; the memory is aligned to 64 bytes.
static inline size_t PKBlurRowsScratch(size_t width, size_t step) {
    return ((width + 1) * step + 64) * sizeof(uint32_t) + (width * step + 64 + 63) / 64 * 64;
}

/// The bytes that `blurColumns` needs; the memory is aligned to 64 bytes.
static inline size_t PKBlurColumnsScratch(size_t rowBytes, size_t height) {
    size_t stride = (rowBytes + 63) / 64 * 64;
    return stride * (2 * height + sizeof(uint32_t));
}

/// The effects of the fastest variant that this machine can run. The table is constant.
const PKEffects *PKBestEffects(void);

/// The effects of a variant; null where this machine cannot run it. The table is constant.
const PKEffects *_Nullable PKEffectsOf(PKVariant variant);

/// The planes of a picture of luma and chroma with 8 bits, to write.
typedef struct {
    uint8_t *y, *u, *v;
    ptrdiff_t yStride, uStride, vStride;
    size_t width, height;
    /// From one sample of a kind of chroma to the next: 1, or 2 where both share a plane.
    size_t chromaStep;
    /// The pixels that share a chroma sample: 1 or 2 each.
    size_t columns, rows;
} PKTarget;

/// Lays a picture of four bytes a pixel over one of luma and chroma, as `blend` does: what a chroma sample becomes is
/// the mean over the pixels of its block, each with its own alpha.
///
/// `weights` make luma and both kinds of chroma of the first three bytes of a pixel. The layer's corner lies at
/// `x`, `y`, and all of it in the picture. Done are the picture's rows `begin` to `end`, which lie between blocks.
void PKBlendOntoYUV(const uint8_t *layer, ptrdiff_t layerStride, size_t layerWidth, size_t layerHeight, size_t x,
                    size_t y, const PKTarget *target, const PKWeights *_Nonnull weights, unsigned opacity,
                    size_t begin, size_t end);

/// Each block of `blockWidth` x `blockHeight` becomes its mean, rounded; at the right and lower edge, that of the
/// pixels that exist. `step` is the bytes of a pixel, up to 4; `sums` has room for width x step. Source and target
/// may be the same.
void PKPixellate(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride,
                 size_t width, size_t height, size_t step, size_t blockWidth, size_t blockHeight, uint32_t *sums);

/// One step of waves on a grid of heights: what goes up or down goes on with `damping`, and is pulled to its four
/// neighbours with `tension`; at the edges a height is its own neighbour. `before` becomes the next heights.
///
/// Returns the largest change of a height.
float PKWaveStep(const float *now, float *before, size_t width, size_t height, float tension, float damping);

/// The slopes of a grid of heights, half the difference of the neighbours; at the edges of those that exist.
///
/// Returns the largest of all, without its sign.
float PKWaveSlopes(const float *heights, size_t width, size_t height, float *across, float *down);

/// The first three bytes of each pixel through a table of 256 bytes each; the fourth stays. Source and target may be
/// the same.
void PKLookUp(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride, size_t width,
              size_t height, const uint8_t *tables);

/// A cube of colours.
typedef struct {
    /// Four numbers for each node, 0 to 255: red, green, blue, and one that is not used.
    const float *nodes;
    /// For each value of the first byte, then of the second, then of the third: the lower node, as its distance from
    /// the first node of all, and how far the value is on its way to the next one, 0 to 1.
    const uint32_t *places;
    const float *fractions;
    /// From one node to the next in each direction.
    uint32_t steps[3];
    /// Whether the first byte of a pixel is blue.
    int isBlueFirst;
} PKCube;

/// The first three bytes of each pixel through a cube, mixed of the four nodes of the tetrahedron in which they lie;
/// the fourth stays. Source and target may be the same.
void PKLookUpCube(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride,
                  size_t width, size_t height, const PKCube *cube);

#pragma clang assume_nonnull end

#endif
