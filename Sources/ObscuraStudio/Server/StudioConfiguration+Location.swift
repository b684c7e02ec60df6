// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import Obscura

extension StudioConfiguration {
    /// A Studio that keeps photos and movies in a folder.
    public init(libraryFolder: some MediaLocation) {
        self.init(libraryFolder: libraryFolder.mediaLocation)
    }
}

extension StudioConfiguration.TLSFiles {
    /// The files of a certificate and its key.
    public init(certificate: some MediaLocation, key: some MediaLocation) {
        self.init(certificate: certificate.mediaLocation, key: key.mediaLocation)
    }
}
