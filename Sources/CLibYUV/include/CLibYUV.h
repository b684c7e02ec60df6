// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// The parts of libyuv that move, scale and reorder samples (Debian: libyuv-dev, which has no .pc file).
// Its color matrices are not used: their results are off by more than 1 in most color spaces. Neither is ARGBScale: the
// weights of neighboring pixels have a sum of 127/128, so that 250 becomes 248, and an opaque pixel is no longer opaque.
#ifndef OBSCURA_LIBYUV_H
#define OBSCURA_LIBYUV_H

#if !__has_include(<libyuv/scale.h>)
#error "libyuv is missing. On Debian and Ubuntu: sudo apt-get install libyuv-dev"
#endif

#include <libyuv/convert.h>
#include <libyuv/convert_from_argb.h>
#include <libyuv/planar_functions.h>
#include <libyuv/rotate.h>
#include <libyuv/scale.h>

/// As libyuv's ScalePlane, which returns nothing in some versions and a status in others.
static inline void obscuraScalePlane(const uint8_t *_Nonnull source, int sourceStride, int sourceWidth,
                                     int sourceHeight, uint8_t *_Nonnull target, int targetStride,
                                     int targetWidth, int targetHeight) {
    ScalePlane(source, sourceStride, sourceWidth, sourceHeight, target, targetStride, targetWidth,
               targetHeight, kFilterBox);
}

/// As libyuv's ScalePlane_16, for the same reason. The strides are in samples.
static inline void obscuraScalePlane16(const uint16_t *_Nonnull source, int sourceStride, int sourceWidth,
                                       int sourceHeight, uint16_t *_Nonnull target, int targetStride,
                                       int targetWidth, int targetHeight) {
    ScalePlane_16(source, sourceStride, sourceWidth, sourceHeight, target, targetStride, targetWidth,
                  targetHeight, kFilterBox);
}

#endif
