// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// The shared library ObscuraOpenCV, which the target ObscuraVision loads on first use. It is the only part of Obscura
// that needs OpenCV. It is C++, because OpenCV has had no C interface since version 4.
#ifndef OBSCURA_OPENCV_LIBRARY_H
#define OBSCURA_OPENCV_LIBRARY_H

#include "COpenCV.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Returns the functions, which are constant. ObscuraVision finds this one by its name.
const OCVFunctions *OCVGetFunctions(void);

#ifdef __cplusplus
}
#endif

#endif
