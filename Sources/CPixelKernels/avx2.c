// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#if defined(__x86_64__)

#include <string.h>

#include "variants.h"

// Only what follows may use AVX2; it is reached only through the table, after a look at the machine.
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#define PK_LANES 16
#define PK_TABLE PKAVX2Kernels
#define PK_EFFECTS_TABLE PKAVX2Effects
#include "kernels.h"
#include "effects.h"
#pragma clang attribute pop

#endif
