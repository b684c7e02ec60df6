// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// SwiftPM requires a source file; libyuv itself is a shared library.
#include "CLibYUV.h"
