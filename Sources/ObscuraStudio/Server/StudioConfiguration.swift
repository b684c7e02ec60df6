// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import Obscura

/// How a Studio is run. As it is made, it serves this machine alone.
public struct StudioConfiguration: Sendable {
    /// The files of a certificate in PEM form.
    public struct TLSFiles: Sendable, Hashable {
        /// The path of the certificate, followed by those that vouch for it.
        public var certificate: String
        /// The path of its private key.
        public var key: String

        /// A certificate and its key.
        public init(certificate: String, key: String) {
            self.certificate = certificate
            self.key = key
        }
    }

    /// The cameras that are there at the start, named as `CaptureDevice.named(_:reading:)` takes them.
    public var sources: [String] = []
    /// Where it listens. Any address that is not of this machine alone needs ``tls`` or ``isInsecureAllowed``.
    public var address = "127.0.0.1"
    /// The port; 0 takes a free one.
    public var port = 8080
    /// Other names under which pages may ask for it, such as that of a machine in the network.
    public var hostNames: [String] = []
    /// The folder of photos and movies; it is made where it is missing.
    public var libraryFolder: String
    /// Whether a page may name addresses and files as sources, and send files into the folder.
    public var allowsSources = false
    /// Whose certificates the servers may have from which sources are read.
    public var sourceTrust = ServerTrust.system
    /// The certificate with which it speaks HTTPS; nil for HTTP.
    public var tls: TLSFiles?
    /// Whether it may listen to a network without TLS, where everybody on the way sees the pictures and the token.
    public var isInsecureAllowed = false
    /// What a browser must know to be let in; nil makes one of 32 random bytes.
    public var token: String?

    /// A Studio that keeps what it takes in `libraryFolder`.
    public init(libraryFolder: String) {
        self.libraryFolder = libraryFolder
    }
}
