// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

extension ObscuraError.Domain {
    /// A web server of this package: its address, its certificate, its pages.
    public static let server = Self("server")
}

extension ObscuraError.Code {
    /// The port is in use, or the address does not belong to this machine.
    public static let cannotListen = Self("cannotListen")
    /// The address can be reached from other machines, and there is neither TLS nor permission to go without.
    public static let unprotectedAddress = Self("unprotectedAddress")
    /// The certificate or its key cannot be read, or they do not match.
    public static let invalidCertificate = Self("invalidCertificate")
    /// The files of the page are not beside the program.
    public static let missingResources = Self("missingResources")
    /// The folder cannot be created, read or written.
    public static let unusableFolder = Self("unusableFolder")
}
