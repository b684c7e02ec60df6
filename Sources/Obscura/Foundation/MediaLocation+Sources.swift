// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraCapture
public import ObscuraMedia
public import ObscuraMovies

extension CaptureDevice {
    /// Returns the device for a movie file, a network camera or a device node; see ``named(_:reading:)-(String,_)``. A
    /// relative path always means a file, even if it equals the name of a device, such as `pattern`.
    public static func named(
        _ location: some MediaLocation, reading: MovieReadingOptions = MovieReadingOptions()
    ) throws(ObscuraError) -> CaptureDevice {
        try named(location.sourceName, reading: reading)
    }
}

extension FrameExtractor {
    /// Creates an extractor for a movie file, a network camera or a device node; see
    /// ``init(source:preset:reading:)-(String,_,_)``.
    public convenience init(
        source: some MediaLocation, preset: CaptureSession.Preset = .high,
        reading: MovieReadingOptions = MovieReadingOptions()
    ) {
        self.init(source: source.sourceName, preset: preset, reading: reading)
    }
}

extension MovieDriver {
    /// Opens the movie at a location; see ``init(_:options:)``.
    public init(
        _ location: some MediaLocation, options: MovieReadingOptions = MovieReadingOptions()
    ) throws(ObscuraError) {
        try self.init(location.mediaLocation, options: options)
    }
}

extension MovieInfo {
    /// Reads the video format of the movie at a location.
    public static func read(
        _ location: some MediaLocation, options: MovieReadingOptions = MovieReadingOptions()
    ) throws(ObscuraError) -> MovieInfo {
        try read(location.mediaLocation, options: options)
    }
}

extension MovieContents {
    /// Reads the streams and the metadata of the movie at a location.
    public static func read(
        _ location: some MediaLocation, options: MovieReadingOptions = MovieReadingOptions()
    ) throws(ObscuraError) -> MovieContents {
        try read(location.mediaLocation, options: options)
    }
}

extension ServerTrust {
    /// Accepts certificates signed by the authorities in a PEM file.
    public static func authorities(path: some MediaLocation) -> ServerTrust {
        .authorities(path: path.mediaLocation)
    }
}
