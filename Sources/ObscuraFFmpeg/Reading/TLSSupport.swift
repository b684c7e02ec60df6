// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg

/// The TLS capabilities of the installed FFmpeg.
package enum TLSSupport {
    /// Whether it verifies the host name of a certificate: GnuTLS does; OpenSSL verifies only the issuer.
    package static let checksNames =
        libav.avformat_configuration().map { String(cString: $0) }?.contains("--enable-gnutls") ?? false
}
