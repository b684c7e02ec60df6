// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The reference of the tests: the colors of decoded frames, computed directly by the formulas in double precision.
/// It shares no code with the kernels that it checks. It is in C only because a debug build of Swift would take
/// minutes for the pixels of a movie.
#ifndef EXACT_PICTURES_H
#define EXACT_PICTURES_H

#include <stddef.h>
#include <stdint.h>

/// A planar YUV picture. Samples above 8 bits are little-endian 16-bit words.
typedef struct {
    const uint8_t *_Nonnull y;
    const uint8_t *_Nonnull u;
    const uint8_t *_Nonnull v;
    size_t y_stride, u_stride, v_stride;
    int width, height;
    /// The bits per sample.
    int depth;
    /// The number of pixels that share a chroma sample, as exponents of two.
    int shift_x, shift_y;
    /// The weights of red and blue in luma (Recommendations BT.601, BT.709, BT.2020).
    double kr, kb;
    /// Whether the codes have full range (1), or limited range with foot and head room (0).
    int is_full;
} EPPicture;

/// Returns the largest difference of blue, green or red between `bgra` and the exact colors. Exact colors use the
/// chroma sample of the pixel's block, and are rounded to the nearest and clamped to 0...255 (H.273, section 8.3).
int ep_largest_difference(const EPPicture *_Nonnull picture, const uint8_t *_Nonnull bgra, size_t stride);

#endif
