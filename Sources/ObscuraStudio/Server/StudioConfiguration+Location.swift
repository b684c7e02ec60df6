// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import Obscura

extension StudioConfiguration {
    /// Creates a configuration that saves photos and movies to `libraryFolder`.
    public init(libraryFolder: some MediaLocation) {
        self.init(libraryFolder: libraryFolder.mediaLocation)
    }
}

extension StudioConfiguration.TLSFiles {
    /// Creates the settings from the location of a certificate and the location of its private key.
    public init(certificate: some MediaLocation, key: some MediaLocation) {
        self.init(certificate: certificate.mediaLocation, key: key.mediaLocation)
    }
}
