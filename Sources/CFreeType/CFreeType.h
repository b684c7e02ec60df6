// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// FreeType (Debian: libfreetype-dev).
#include <ft2build.h>
#include FT_FREETYPE_H
