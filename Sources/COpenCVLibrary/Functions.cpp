// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#ifdef OBSCURA_VISION

#include "COpenCVLibrary.h"
#include "functions.hpp"
#include "guarded.hpp"

static const OCVFunctions functions = {
    OCVInterface,
    CV_VERSION,
    obscura::openCascade,
    obscura::closeCascade,
    obscura::findWithCascade,
    obscura::group,
    obscura::openStumps,
    obscura::closeStumps,
    obscura::openNetwork,
    obscura::closeNetwork,
    obscura::findWithNetwork,
    obscura::drawRect,
    obscura::drawText,
};

const OCVFunctions *OCVGetFunctions(void) { return &functions; }

#endif
