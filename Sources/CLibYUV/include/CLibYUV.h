// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// The parts of libyuv that move, scale and reorder samples (Debian: libyuv-dev, which has no .pc file).
// Its color matrices are not used: their results are off by more than 1 in most color spaces.
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
#include <libyuv/scale_argb.h>

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

/// As libyuv's ARGBScale, which ends the process if the width is reduced to a quarter and the height to a sixth, a
/// tenth, a fourteenth and so on. Then each result is the mean of only four pixels.
static inline void obscuraScaleARGB(const uint8_t *_Nonnull source, int sourceStride, int sourceWidth,
                                    int sourceHeight, uint8_t *_Nonnull target, int targetStride,
                                    int targetWidth, int targetHeight) {
    int isQuarter = sourceWidth == 4 * targetWidth && sourceHeight % (4 * targetHeight) == 2 * targetHeight;
    ARGBScale(source, sourceStride, sourceWidth, sourceHeight, target, targetStride, targetWidth, targetHeight,
              isQuarter ? kFilterBilinear : kFilterBox);
}

#endif
