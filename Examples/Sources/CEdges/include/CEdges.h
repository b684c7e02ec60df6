// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// OpenCV code of one's own, as C sees it.
#ifndef EDGES_H
#define EDGES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How sharp a plane of luma is: the variance of its Laplacian. Negative if OpenCV fails.
double EdgesSharpness(const uint8_t *_Nonnull luma, int width, int height, size_t bytesPerRow);

/// Draws the edges of a BGRA picture into it. Returns whether OpenCV could.
int EdgesDraw(uint8_t *_Nonnull bgra, int width, int height, size_t bytesPerRow);

#ifdef __cplusplus
}
#endif

#endif
