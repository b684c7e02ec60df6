// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// Expat (Debian: libexpat1-dev).
#include <expat.h>
