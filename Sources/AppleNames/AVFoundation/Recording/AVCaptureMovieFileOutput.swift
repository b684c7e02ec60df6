// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Logging
internal import Obscura
internal import ObscuraBase

/// An output that records the session to a movie.
///
/// The movie continues when the camera is switched. After a crash or a power failure, the movie can be played up to a
/// moment before it.
public final class AVCaptureMovieFileOutput: AVCaptureFileOutput, @unchecked Sendable {
    // Its properties are Sendable, or are used with a lock.

    /// `@unchecked Sendable` is safe because items and settings are not changed after they were set.
    private struct State: @unchecked Sendable {
        var items: [AVMetadataItem]?
        var settings: [AVMediaType: [String: Any]] = [:]
        var copiesVideo = false
    }

    private static let logger = Logger(label: "obscura.avfoundation")
    private let state = Lock(State())

    /// Creates an output.
    public init() {
        super.init(MovieFileOutput(name: "AVCaptureMovieFileOutput"))
    }

    /// The metadata of the next movie; see ``AVMetadataItem``.
    public var metadata: [AVMetadataItem]? {
        get { state.withLock { $0.items } }
        set { state.withLock { $0.items = newValue } }
    }

    override func options() -> AssetWriter.Options {
        var options = AssetWriter.Options()
        options.metadata = Metadata(metadata ?? [])
        options.copiesVideo = state.withLock { $0.copiesVideo }
        return options
    }

    /// The codecs for video. A codec can only be used if the system has an encoder for it.
    public var availableVideoCodecTypes: [AVVideoCodecType] { [.h264, .hevc, .jpeg] }

    /// Returns the settings of the video or the sound of a connection; empty for the default settings.
    public func outputSettings(for connection: AVCaptureConnection) -> [String: Any] {
        type(of: connection).flatMap { type in state.withLock { $0.settings[type] } } ?? [:]
    }

    /// Sets the settings of the video or the sound of a connection, for the next recording.
    ///
    /// - Parameters:
    ///   - outputSettings: the settings, as for ``AVAssetWriterInput``; empty for the default settings. For video, nil
    ///     copies the compressed frames of the camera: a recording does not start if the camera delivers none. If
    ///     settings are not supported, nothing is changed, and an error is logged.
    ///   - connection: a connection of this output.
    public func setOutputSettings(_ outputSettings: [String: Any]?, for connection: AVCaptureConnection) {
        guard let type = type(of: connection) else {
            return Self.logger.error("setOutputSettings: the connection belongs to another output")
        }
        do throws(ObscuraError) {
            let settings = outputSettings ?? [:]
            if type == .video {
                movie.videoSettings =
                    try settings.isEmpty ? VideoSettings() : VideoSettings(outputSettings: settings, hint: nil)
            } else {
                movie.audioSettings =
                    try settings.isEmpty ? AudioSettings() : AudioSettings(outputSettings: settings, hint: nil)
            }
            state.withLock { state in
                state.settings[type] = settings
                if type == .video { state.copiesVideo = outputSettings == nil }
            }
        } catch {
            Self.logger.error("setOutputSettings: \(error)")
        }
    }

    private func type(of connection: AVCaptureConnection) -> AVMediaType? {
        [AVMediaType.video, .audio].first { self.connection(with: $0) === connection }
    }
}
