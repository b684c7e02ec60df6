// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// GnuTLS, the TLS library of Debian's FFmpeg.
// https://gnutls.org/manual/gnutls.html
#ifndef OBSCURA_GNUTLS_H
#define OBSCURA_GNUTLS_H

#if !__has_include(<gnutls/gnutls.h>)
#error "GnuTLS's headers are missing. On Debian and Ubuntu: sudo apt-get install libgnutls28-dev"
#endif

#include <gnutls/gnutls.h>
#include <gnutls/x509.h>

#endif
