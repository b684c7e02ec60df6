// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// libjpeg-turbo's own API, of which what 2.1 and 3.x have in common is used (Debian: libturbojpeg0-dev).
#include <turbojpeg.h>
