// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#if defined(__x86_64__)

#include <immintrin.h>
#include <string.h>

#include "variants.h"

// Only the code below may use AVX2; it is called only through the table, after a check that the processor has AVX2.
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#define PK_LANES 16
#define PK_TABLE PKAVX2Kernels
#define PK_EFFECTS_TABLE PKAVX2Effects
#include "kernels.h"
#include "effects.h"
#pragma clang attribute pop

#endif
