// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#define PK_LANES 8
#define PK_TABLE PKBaselineKernels
#include "kernels.h"
