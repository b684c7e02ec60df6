// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraCapture
public import ObscuraMedia

/// Movies by name: every path and every address is one.
public struct MovieDeviceProvider: CaptureDeviceProvider {
    private let options: MovieReadingOptions

    /// - Parameter options: how the movies are read.
    public init(options: MovieReadingOptions = MovieReadingOptions()) {
        self.options = options
    }

    /// Empty: nobody can list all movies.
    public var devices: [CaptureDevice] { [] }

    /// The movie at a path or address, as a camera, as a microphone or as both. To be asked last: it takes every name for a path.
    ///
    /// - Throws: ``ObscuraError``: what ``MovieDriver/init(_:options:)`` throws.
    public func device(named source: String) throws(ObscuraError) -> CaptureDevice? {
        CaptureDevice(driver: try MovieDriver(source, options: options))
    }
}
