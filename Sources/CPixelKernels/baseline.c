// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#define PK_LANES 8
#define PK_TABLE PKBaselineKernels
#define PK_EFFECTS_TABLE PKBaselineEffects
#include "kernels.h"
#include "effects.h"
