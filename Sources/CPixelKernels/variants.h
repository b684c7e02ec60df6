// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The tables that the variants define.
#ifndef OBSCURA_PIXEL_KERNEL_VARIANTS_H
#define OBSCURA_PIXEL_KERNEL_VARIANTS_H

#include "CPixelKernels.h"

extern const PKKernels PKBaselineKernels;
extern const PKEffects PKBaselineEffects;
#if defined(__x86_64__)
extern const PKKernels PKAVX2Kernels;
extern const PKEffects PKAVX2Effects;
extern const PKKernels PKAVX512Kernels;
#endif

/// Interpolates between neighboring chroma samples, in sixteenths, for one row of `width` pixels. `near` is the row
/// of samples whose block contains the row of pixels, `far` the second nearest row of samples (or the same).
/// `columns` is 1 or 2. In resample.c.
void PKBlendChromaRow(const uint8_t *near, const uint8_t *far, uint16_t *target, size_t width,
                      size_t columns, size_t sampleBytes);

/// Returns the row of chroma that is second nearest to pixel row `row`, limited to `count` rows of chroma.
static inline size_t PKFarChromaRow(size_t row, size_t count) {
    size_t near = row >> 1;
    if (row & 1) return near + 1 < count ? near + 1 : near;
    return near > 0 ? near - 1 : near;
}

#endif
