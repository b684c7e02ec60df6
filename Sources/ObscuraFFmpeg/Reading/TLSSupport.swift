// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg

/// What FFmpeg's TLS can do here.
package enum TLSSupport {
    /// Whether it checks for whom a certificate is. With GnuTLS it does; with OpenSSL it only checks who signed it.
    package static let checksNames = String(cString: avformat_configuration()).contains("--enable-gnutls")
}
