// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

extension ObscuraError.Domain {
    /// The domain of errors of the web server of this package: its address, certificate and pages.
    public static let server = Self("server")
}

extension ObscuraError.Code {
    /// The port is in use, or the address is not available on this host.
    public static let cannotListen = Self("cannotListen")
    /// The settings of the server do not allow access from other machines without TLS.
    public static let unprotectedAddress = Self("unprotectedAddress")
    /// The certificate or its key cannot be read, or the key does not match the certificate.
    public static let invalidCertificate = Self("invalidCertificate")
    /// The resource files of the web page are not installed beside the program.
    public static let missingResources = Self("missingResources")
    /// The folder cannot be created, read or written.
    public static let unusableFolder = Self("unusableFolder")
}
