// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The colours of decoded pictures by the formulas alone, in double precision: the judge of the tests. It shares
/// nothing with the kernels that it judges, and is C only because a debug build of Swift would take minutes
/// for the pixels of a film.
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
    /// Bits of a sample.
    int depth;
    /// How many pixels share a chroma sample, as powers of two.
    int shift_x, shift_y;
    /// The weights of red and blue in luma (Recommendations BT.601, BT.709, BT.2020).
    double kr, kb;
    /// Whether the codes go from 0 to the highest (1), or leave foot and head room (0).
    int is_full;
} EPPicture;

/// The largest difference in any of blue, green and red between `bgra` and the exact colours, each pixel with
/// the chroma sample of its block, rounded to the nearest and clamped to 0...255 (H.273, section 8.3).
int ep_largest_difference(const EPPicture *_Nonnull picture, const uint8_t *_Nonnull bgra, size_t stride);

#endif
