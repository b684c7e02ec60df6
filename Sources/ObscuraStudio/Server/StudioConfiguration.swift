// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import Obscura

/// The settings of a ``StudioServer``. By default only this machine can connect to the server.
public struct StudioConfiguration: Sendable {
    /// The files of a TLS certificate and its private key, in PEM format.
    public struct TLSFiles: Sendable, Hashable {
        /// Path of the file with the certificate, followed by its intermediate certificates.
        public var certificate: String
        /// Path of the private key of the certificate.
        public var key: String

        /// Creates the settings from the path of a certificate and the path of its private key.
        public init(certificate: String, key: String) {
            self.certificate = certificate
            self.key = key
        }
    }

    /// Names of the cameras to add at the start, in the form that `CaptureDevice.named(_:reading:)` accepts.
    public var sources: [String] = []
    /// The address to listen on. An address other than a loopback address requires ``tls`` or ``isInsecureAllowed``.
    public var address = "127.0.0.1"
    /// The port; 0 selects a free port.
    public var port = 8080
    /// Additional host names by which browsers may reach the server, such as the name of the machine on the network.
    public var hostNames: [String] = []
    /// Path of the folder for photos and movies, which is created if missing.
    public var libraryFolder: String
    /// Whether the web pages may open network addresses and files as cameras, and upload files to the library folder.
    public var allowsSources = false
    /// The verification of server certificates for sources that are read over TLS.
    public var sourceTrust = ServerTrust.system
    /// The certificate for HTTPS; nil serves HTTP.
    public var tls: TLSFiles?
    /// Whether to allow a network address without TLS. Without TLS, other machines on the network can read the frames
    /// and the token.
    public var isInsecureAllowed = false
    /// The access token that browsers must present: 16 to 256 letters, digits, `-`, `.`, `_` or `~`. Nil generates a
    /// token from 32 random bytes.
    public var token: String?

    /// Creates a configuration that saves photos and movies to `libraryFolder`.
    public init(libraryFolder: String) {
        self.libraryFolder = libraryFolder
    }
}
