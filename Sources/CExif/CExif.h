// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// libexif (Debian: libexif-dev). The numbers of the tags are not taken from it: they are those of the standard, and
// older versions do not know all of them.
#include <libexif/exif-content.h>
#include <libexif/exif-data.h>
#include <libexif/exif-entry.h>
#include <libexif/exif-mem.h>
