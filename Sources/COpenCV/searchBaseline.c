// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// The instructions that every processor of the architecture has: SSE2 or NEON.
#define OCV_LANES 4
#define OCV_SEARCH OCVSearchBaseline
#include "search.h"
