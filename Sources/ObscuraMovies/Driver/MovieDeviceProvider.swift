// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraCapture
public import ObscuraMedia

/// A device provider for movies: every path and every URL is a device.
public struct MovieDeviceProvider: CaptureDeviceProvider {
    private let options: MovieReadingOptions

    /// Creates a provider.
    ///
    /// - Parameter options: options for reading the movies.
    public init(options: MovieReadingOptions = MovieReadingOptions()) {
        self.options = options
    }

    /// An empty list, because movies cannot be enumerated.
    public var devices: [CaptureDevice] { [] }

    /// Returns the movie at a path or URL as a device: a camera, a microphone or both. Among several providers, ask
    /// this provider last, because it treats every name as a path or a URL.
    ///
    /// - Throws: the errors of ``MovieDriver/init(_:options:)``.
    public func device(named source: String) throws(ObscuraError) -> CaptureDevice? {
        CaptureDevice(driver: try MovieDriver(source, options: options))
    }
}
