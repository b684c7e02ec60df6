// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// libjpeg-turbo's own API; only the functions that both 2.1 and 3.x have are used (Debian: libturbojpeg0-dev).
#include <turbojpeg.h>
