// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraBroadcast
public import ObscuraMedia
public import ObscuraMovies

extension AssetWriter {
    /// Creates a movie file; see ``init(path:container:video:audio:options:)-(String,_,_,_,_)``.
    public convenience init(
        path file: some MediaLocation, container: MovieContainer? = nil, video: VideoSettings? = VideoSettings(),
        audio: AudioSettings? = nil, options: Options = Options()
    ) throws(ObscuraError) {
        try self.init(
            path: file.mediaLocation, container: container, video: video, audio: audio, options: options)
    }
}

extension MovieFileOutput {
    /// Starts a recording to a file; see ``startRecording(to:options:)-(String,_)``.
    nonisolated(nonsending) public func startRecording(
        to file: some MediaLocation, options: AssetWriter.Options = AssetWriter.Options()
    ) async throws(ObscuraError) {
        try await startRecording(to: file.mediaLocation, options: options)
    }

    /// Continues the recording in another file; see ``splitRecording(to:metadata:)-(String,_)``.
    public func splitRecording(
        to file: some MediaLocation, metadata: Metadata = Metadata()
    ) throws(ObscuraError) {
        try splitRecording(to: file.mediaLocation, metadata: metadata)
    }
}

extension MovieRecovery {
    /// Recovers a partial recording. The movie gets the original name of the recording; see
    /// ``recover(_:to:overwrites:)-(String,_,_)``.
    @discardableResult
    public static func recover(
        _ file: some MediaLocation, overwrites: Bool = false
    ) throws(ObscuraError) -> Recovery {
        try recover(file.mediaLocation, to: nil, overwrites: overwrites)
    }

    /// Recovers a partial recording to another file, and keeps the partial recording; see
    /// ``recover(_:to:overwrites:)-(String,_,_)``.
    @discardableResult
    public static func recover(
        _ file: some MediaLocation, to target: some MediaLocation, overwrites: Bool = false
    ) throws(ObscuraError) -> Recovery {
        try recover(file.mediaLocation, to: target.mediaLocation, overwrites: overwrites)
    }

    /// Recovers all partial recordings of a folder; see ``recover(folder:overwrites:)-(String,_)``.
    public static func recover(
        folder: some MediaLocation, overwrites: Bool = false
    ) throws(ObscuraError) -> [Outcome] {
        try recover(folder: folder.mediaLocation, overwrites: overwrites)
    }
}

extension MovieContainer {
    /// Creates the container for the extension of a file name, such as mp4; nil if the extension is unknown.
    public init?(path file: some MediaLocation) {
        self.init(path: file.mediaLocation)
    }
}

extension BroadcastDestination {
    /// Parses the address of a server, or the path of a movie file or an HLS playlist.
    ///
    /// - Parameters:
    ///   - location: The address or the path.
    ///   - startsWhenAvailable: Whether the first connection is retried if the server is not available.
    /// - Throws: ``ObscuraError/Code/invalidAddress``.
    public init(_ location: some MediaLocation, startsWhenAvailable: Bool = false) throws(ObscuraError) {
        try self.init(location.mediaLocation, startsWhenAvailable: startsWhenAvailable)
    }
}
