// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// Fontconfig (Debian: libfontconfig-dev).
#include <fontconfig/fontconfig.h>
