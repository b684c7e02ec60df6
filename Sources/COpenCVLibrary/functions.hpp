// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// The functions of the table in COpenCV.h, which describes them. They are hidden, so that no other library of the
// program can take their place.
#ifndef OBSCURA_OPENCV_FUNCTIONS_HPP
#define OBSCURA_OPENCV_FUNCTIONS_HPP

#include "COpenCV.h"

#pragma GCC visibility push(hidden)

namespace obscura {

OCVCascade *openCascade(const char *path, char *message);
void closeCascade(OCVCascade *cascade);
OCVStatus findWithCascade(OCVCascade *cascade, OCVPicture gray, double scaleStep, int32_t neighbours,
                          int32_t smallestWidth, int32_t smallestHeight, int32_t largestWidth, int32_t largestHeight,
                          OCVFound *found, int32_t capacity, int32_t *count, char *message);
OCVStatus group(OCVFound *windows, int32_t *count, int32_t neighbours, char *message);

OCVStumps *openStumps(const char *path, char *message);
void closeStumps(OCVStumps *stumps);

OCVStatus openNetwork(const char *path, OCVNetwork **network, char *message);
void closeNetwork(OCVNetwork *network);
OCVStatus findWithNetwork(OCVNetwork *network, OCVPicture picture, OCVNetworkFace *found, int32_t capacity,
                          int32_t *count, char *message);

OCVStatus drawRect(OCVCanvas target, OCVRect rect, OCVColor color, int32_t lineWidth, char *message);
OCVStatus drawText(OCVCanvas target, const char *text, int32_t x, int32_t y, OCVColor color, double scale,
                   int32_t lineWidth, char *message);

} // namespace obscura

#pragma GCC visibility pop

#endif
