// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#if defined(__x86_64__)

#include <math.h>
#include <string.h>

#include "stumps.h"

// Only the code below may use AVX2; OCVStumpsScan calls it only if the processor has AVX2.
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#define OCV_LANES 8
#define OCV_SEARCH OCVSearchAVX2
#include "search.h"
#pragma clang attribute pop

#endif
