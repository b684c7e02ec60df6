// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#if defined(__x86_64__)

#include <immintrin.h>
#include <string.h>

#include "variants.h"

// Only the code below may use AVX-512; it is called only through the table, after a check of the processor. The effects
// are those for AVX2.
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi"))), apply_to = function)
#define PK_LANES 32
#define PK_TABLE PKAVX512Kernels
#include "kernels.h"
#pragma clang attribute pop

#endif
