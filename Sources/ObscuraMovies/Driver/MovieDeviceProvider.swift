// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraCapture
public import ObscuraMedia

/// Provides movies as devices: every path and every URL is one.
public struct MovieDeviceProvider: CaptureDeviceProvider {
    private let options: MovieReadingOptions

    /// - Parameter options: how the movies are read.
    public init(options: MovieReadingOptions = MovieReadingOptions()) {
        self.options = options
    }

    /// Always empty, because movies cannot be enumerated.
    public var devices: [CaptureDevice] { [] }

    /// The movie at a path or URL, as a camera, a microphone or both. Use this provider last, since it treats every
    /// name as a path.
    ///
    /// - Throws: ``ObscuraError``: see ``MovieDriver/init(_:options:)``.
    public func device(named source: String) throws(ObscuraError) -> CaptureDevice? {
        CaptureDevice(driver: try MovieDriver(source, options: options))
    }
}
