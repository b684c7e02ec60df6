// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase

/// A track of a movie that an ``AVAssetWriter`` writes.
///
/// Samples are encoded. Appending compressed samples (`outputSettings` of nil) is not supported. Thread-safe, but
/// append the samples of an input in the order of their times.
public final class AVAssetWriterInput: NSObject, Sendable {
    private struct State: Sendable {
        var expectsMediaDataInRealTime = false
        var transform = CGAffineTransform.identity
        var languageCode: String?
        var metadata: [AVMetadataItem] = []
        var request: MediaRequest?
        var link: Link?
    }

    private struct Link: Sendable {
        let core: WriterCore
        let index: Int
    }

    /// `@unchecked Sendable` is safe because the values are read by the initializer only, and otherwise returned as
    /// they are.
    private struct Settings: @unchecked Sendable {
        let values: [String: Any]?
    }

    /// The kind of media.
    public let mediaType: AVMediaType
    /// The format of the samples, for values that the settings do not have: the size of video, the rate and the
    /// channels of sound.
    public let sourceFormatHint: CMFormatDescription?
    private let settings: Settings
    private let content: Result<MovieTrack.Content, ObscuraError>
    private let state = Lock(State())

    /// Creates an input.
    ///
    /// If the settings are not supported, ``AVAssetWriter/canAdd(_:)`` returns false, and the writer fails in
    /// ``AVAssetWriter/add(_:)``.
    ///
    /// - Parameters:
    ///   - mediaType: video or audio.
    ///   - outputSettings: the settings of the encoder, with the keys of compressed video or of sound.
    ///   - sourceFormatHint: the format of the samples, for values that `outputSettings` does not have.
    public init(
        mediaType: AVMediaType, outputSettings: [String: Any]?, sourceFormatHint: CMFormatDescription?
    ) {
        self.mediaType = mediaType
        self.sourceFormatHint = sourceFormatHint
        settings = Settings(values: outputSettings)
        do throws(ObscuraError) {
            content = .success(try Self.content(mediaType, outputSettings, sourceFormatHint))
        } catch {
            content = .failure(error)
        }
        super.init()
    }

    /// Creates an input; see ``init(mediaType:outputSettings:sourceFormatHint:)``.
    public convenience init(mediaType: AVMediaType, outputSettings: [String: Any]?) {
        self.init(mediaType: mediaType, outputSettings: outputSettings, sourceFormatHint: nil)
    }

    private static func content(
        _ mediaType: AVMediaType, _ settings: [String: Any]?, _ hint: CMFormatDescription?
    ) throws(ObscuraError) -> MovieTrack.Content {
        guard let settings else {
            throw .invalidSettings(
                .recording, "output settings", "nil requests compressed samples, which are not supported",
                "Pass settings of the encoder.")
        }
        switch mediaType {
        case .video: return .video(try VideoSettings(outputSettings: settings, hint: hint?.dimensions))
        case .audio: return .audio(try AudioSettings(outputSettings: settings, hint: hint?.audioFormat))
        default:
            throw .invalidSettings(
                .recording, "output settings", "tracks of the media type \(mediaType.rawValue) cannot be written",
                "Use AVMediaType.video or .audio.")
        }
    }

    /// The settings of the encoder.
    public var outputSettings: [String: Any]? { settings.values }

    /// Whether the samples come from a camera or a microphone. If true, ``append(_:)`` never waits, and samples are
    /// dropped if the encoder is too slow. If false, ``append(_:)`` blocks the thread until the encoder has room.
    /// Changes after ``AVAssetWriter/startWriting()`` have no effect.
    public var expectsMediaDataInRealTime: Bool {
        get { state.withLock { $0.expectsMediaDataInRealTime } }
        set { state.withLock { $0.expectsMediaDataInRealTime = newValue } }
    }

    /// The orientation of the frames: a rotation by a multiple of 90 degrees, with or without mirroring. A translation
    /// has no effect. With any other transform, the writer fails in ``AVAssetWriter/startWriting()``. Changes after
    /// that call have no effect.
    ///
    /// Frames are rotated before they are encoded, so that the movie itself needs no transform. The width and the
    /// height in the settings are those before the rotation.
    public var transform: CGAffineTransform {
        get { state.withLock { $0.transform } }
        set { state.withLock { $0.transform = newValue } }
    }

    /// The language of the track, as three letters of ISO 639-2 (`eng`); nil for none. Changes after
    /// ``AVAssetWriter/startWriting()`` have no effect.
    public var languageCode: String? {
        get { state.withLock { $0.languageCode } }
        set { state.withLock { $0.languageCode = newValue } }
    }

    /// The metadata of the track. Only the title is written. Changes after ``AVAssetWriter/startWriting()`` have no
    /// effect.
    public var metadata: [AVMetadataItem] {
        get { state.withLock { $0.metadata } }
        set { state.withLock { $0.metadata = newValue.map(\.snapshot) } }
    }

    // MARK: Samples

    /// Whether another sample should be appended now.
    ///
    /// - For real-time media: true if the queue of the encoder has room.
    /// - For other media: false while the input is more than two seconds ahead of another input that is not finished.
    ///
    /// Always false before ``AVAssetWriter/startWriting()`` and after ``markAsFinished()``.
    public var isReadyForMoreMediaData: Bool {
        link.map { $0.core.isReady($0.index) } ?? false
    }

    /// Appends a frame or a buffer of sound. If the queue of the encoder is full, ``expectsMediaDataInRealTime``
    /// determines whether the call blocks or drops the sample.
    ///
    /// Later changes of the pixels have no effect. Frames are skipped if their time is before the start of the session,
    /// or not later than that of the previous frame.
    ///
    /// - Returns: false if the sample was not appended. If the sample does not fit the input, or
    ///   ``AVAssetWriter/startSession(atSourceTime:)`` has not been called, the writer also fails. It does not fail if
    ///   the queue is full, or after ``markAsFinished()``.
    @discardableResult
    public func append(_ sampleBuffer: CMSampleBuffer) -> Bool {
        append { path throws(ObscuraError) in
            try MediaSample(sampleBuffer, for: mediaType, subject: path)
        }
    }

    func append(_ make: (_ path: String) throws(ObscuraError) -> MediaSample) -> Bool {
        guard let link else { return false }
        do throws(ObscuraError) {
            return link.core.append(try make(link.core.path), to: link.index)
        } catch {
            link.core.fail(error)
            return false
        }
    }

    /// Ends the track. Without effect before the input is added with ``AVAssetWriter/add(_:)``.
    public func markAsFinished() {
        guard let link else { return }
        link.core.markAsFinished(link.index)
    }

    /// Calls `block` whenever the input is ready for samples, until ``markAsFinished()`` or the end of the writer.
    /// Another call of this function replaces the block.
    ///
    /// The block must append samples while ``isReadyForMoreMediaData`` is true, and then return. It is first called
    /// after ``AVAssetWriter/startSession(atSourceTime:)``. For real-time sources, such as cameras, use ``append(_:)``
    /// instead.
    ///
    /// - Parameters:
    ///   - queue: the serial queue on which the block is called. ``append(_:)`` can block this queue.
    ///   - block: appends samples.
    @preconcurrency
    public func requestMediaDataWhenReady(on queue: DispatchQueue, using block: @escaping @Sendable () -> Void) {
        let request = MediaRequest(queue: queue, block: block)
        let (link, old) = state.withLock { state in
            defer { if state.link == nil { state.request = request } }
            return (state.link, state.request)
        }
        if let link { link.core.request(request, of: link.index) }
        // Not with the lock; see `WriterCore`.
        withExtendedLifetime(old) {}
    }

    // MARK: The writer

    private var link: Link? { state.withLock { $0.link } }
    var isAttached: Bool { link != nil }
    /// Whether the writer has started, or failed to start.
    var isStarted: Bool { link.map { $0.core.status != .unknown } ?? false }

    /// Connects the input with a writer. Returns false if it has one.
    func attach(to core: WriterCore) -> Bool {
        let (link, request) = state.withLock { state -> (Link?, MediaRequest?) in
            guard state.link == nil, let index = core.addTrack(mediaType) else { return (nil, nil) }
            state.link = Link(core: core, index: index)
            defer { state.request = nil }
            return (state.link, state.request)
        }
        guard let link else { return false }
        if let request { core.request(request, of: link.index) }
        return true
    }

    /// Throws unless a movie can have the track.
    func check(for container: MovieContainer) throws(ObscuraError) {
        switch try content.get() {
        case .video(let settings):
            try settings.check(for: container)
            _ = try orientation()
        case .audio(let settings): try settings.check(for: container)
        default: break
        }
    }

    /// The input at the start of the movie.
    ///
    /// - Throws: ``ObscuraError/Code/invalidSettings`` for a transform that is not an orientation.
    func plan() throws(ObscuraError) -> WriterCore.Plan {
        let (language, metadata) = state.withLock { ($0.languageCode, $0.metadata) }
        let orientation = try orientation()
        var content = try content.get()
        if case .video(var settings) = content, orientation.turn.isTransposed {
            settings.size = settings.size?.transposed
            content = .video(settings)
        }
        return WriterCore.Plan(
            track: MovieTrack(content, language: language, title: Metadata(metadata).title), orientation: orientation,
            isRealTime: expectsMediaDataInRealTime)
    }

    private func orientation() throws(ObscuraError) -> FrameOrientation {
        let transform = transform
        guard let orientation = FrameOrientation(transform) else {
            throw .invalidSettings(
                .recording, "output settings",
                "the transform must be a rotation by a multiple of 90 degrees, with or without mirroring")
        }
        return orientation
    }
}
