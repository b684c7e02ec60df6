// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// The C interface of your own OpenCV code.
#ifndef EDGES_H
#define EDGES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Returns the sharpness of a plane of luma: the variance of its Laplacian. Negative if OpenCV fails.
double EdgesSharpness(const uint8_t *_Nonnull luma, int width, int height, size_t bytesPerRow);

/// Draws the edges of a BGRA picture into it. Returns 1, or 0 if OpenCV fails.
int EdgesDraw(uint8_t *_Nonnull bgra, int width, int height, size_t bytesPerRow);

#ifdef __cplusplus
}
#endif

#endif
