// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// libexif (Debian: libexif-dev). Its tag numbers are not used, because older versions lack some of them; Obscura has
// its own, from the standard.
#include <libexif/exif-content.h>
#include <libexif/exif-data.h>
#include <libexif/exif-entry.h>
#include <libexif/exif-mem.h>
