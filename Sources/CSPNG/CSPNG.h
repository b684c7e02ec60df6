// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// libspng (Debian: libspng-dev).
#include <spng.h>
