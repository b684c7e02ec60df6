// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase

/// A writer that creates a movie from samples: frames and sound.
///
/// Until ``finishWriting(completionHandler:)`` has completed it, the movie is in a file such as `movie.recording.mp4`
/// in the same folder. This file is playable, even after a crash.
///
/// Apple's writer raises an exception when it is used in the wrong order. This one fails: ``status`` becomes `failed`,
/// ``error`` has the reason, and the calls that return a Boolean return false. Thread-safe.
public final class AVAssetWriter: NSObject, Sendable {
    /// The status of a writer.
    public typealias Status = AVAssetWriterStatus

    private struct State: Sendable {
        var inputs: [AVAssetWriterInput] = []
        var metadata: [AVMetadataItem] = []
        var shouldOptimizeForNetworkUse = false
    }

    /// The address of the movie.
    public let outputURL: URL
    /// The type of the movie.
    public let outputFileType: AVFileType
    private let core: WriterCore
    private let container: MovieContainer
    private let state = Lock(State())

    /// Creates a writer. The file is created by ``startWriting()``.
    ///
    /// - Throws: ``ObscuraError/Code/invalidSettings`` if the address is not that of a file, or the type cannot be
    ///   written.
    public init(outputURL: URL, fileType outputFileType: AVFileType) throws {
        guard outputURL.isFileURL else {
            throw ObscuraError.invalidSettings(
                .recording, outputURL.absoluteString, "it is not a file URL", "Use URL(fileURLWithPath:).")
        }
        guard let container = outputFileType.container else {
            throw ObscuraError.invalidSettings(
                .recording, outputURL.path, "files of the type \(outputFileType.rawValue) cannot be written",
                "Use AVFileType.mp4 or .mov.")
        }
        self.outputURL = outputURL
        self.outputFileType = outputFileType
        self.container = container
        core = WriterCore(path: outputURL.path)
        super.init()
    }

    /// Creates a writer; see ``init(outputURL:fileType:)``.
    public convenience init(url outputURL: URL, fileType outputFileType: AVFileType) throws {
        try self.init(outputURL: outputURL, fileType: outputFileType)
    }

    /// The status of the writer. An error of the encoder or of the disk changes it only at the next append, or at the
    /// end.
    public var status: Status { core.status }
    /// The error, an `ObscuraError`, if ``status`` is `failed`; else nil.
    public var error: (any Error)? { core.error }

    /// The metadata of the movie; see ``AVMetadataItem``. The date and the software are filled in. If this is set after
    /// ``startWriting()``, the writer fails.
    public var metadata: [AVMetadataItem] {
        get { state.withLock { $0.metadata } }
        set {
            guard core.status == .unknown else {
                return core.fail(core.invalidState("metadata was set after startWriting()"))
            }
            state.withLock { $0.metadata = newValue.map(\.snapshot) }
        }
    }

    /// Whether the index is at the beginning of the movie. Without effect here: it always is.
    public var shouldOptimizeForNetworkUse: Bool {
        get { state.withLock { $0.shouldOptimizeForNetworkUse } }
        set { state.withLock { $0.shouldOptimizeForNetworkUse = newValue } }
    }

    // MARK: Inputs

    /// The kinds of media that a movie of the type can contain.
    public var availableMediaTypes: [AVMediaType] { outputFileType.mediaTypes }

    /// Returns whether settings can be used for inputs of a kind of media.
    public func canApply(outputSettings: [String: Any]?, forMediaType mediaType: AVMediaType) -> Bool {
        refusal(of: AVAssetWriterInput(mediaType: mediaType, outputSettings: outputSettings)) == nil
    }

    /// The inputs, in the order in which they were added.
    public var inputs: [AVAssetWriterInput] { state.withLock { $0.inputs } }

    /// Returns whether an input can be added. ``startWriting()`` must not have been called, the settings must be
    /// supported, and the input must not belong to a writer.
    public func canAdd(_ input: AVAssetWriterInput) -> Bool { refusal(of: input) == nil }

    /// Adds an input, whose samples become a track of the movie. If it cannot be added, the writer fails, and ``error``
    /// has the reason.
    public func add(_ input: AVAssetWriterInput) {
        // With the lock, so that the order of the inputs is that of the tracks.
        let failure = state.withLock { state -> ObscuraError? in
            if let refusal = refusal(of: input) { return refusal }
            guard input.attach(to: core) else {
                return core.invalidState("an input was added to two writers at once")
            }
            state.inputs.append(input)
            return nil
        }
        // Releases the blocks of inputs, which may refer to this writer.
        if let failure { core.fail(failure) }
    }

    private func refusal(of input: AVAssetWriterInput) -> ObscuraError? {
        guard core.status == .unknown else {
            return core.invalidState("an input was added after startWriting()")
        }
        guard !input.isAttached else { return core.invalidState("the input belongs to a writer already") }
        do throws(ObscuraError) {
            try input.check(for: container)
        } catch {
            return error
        }
        guard outputFileType.mediaTypes.contains(input.mediaType) else {
            return .invalidSettings(
                .recording, core.path,
                "files of the type \(outputFileType.rawValue) cannot have tracks of the media type "
                    + input.mediaType.rawValue)
        }
        return nil
    }

    // MARK: Writing

    /// Creates the movie. Inputs and metadata cannot be changed after this call.
    ///
    /// - Returns: false if the writer fails: a file of that name exists, the file cannot be created, there is no input,
    ///   or this function was called before.
    @discardableResult
    public func startWriting() -> Bool {
        let (inputs, metadata) = state.withLock { ($0.inputs, $0.metadata) }
        return core.start(container, Self.plans(inputs), metadata: Metadata(metadata))
    }

    private static func plans(_ inputs: [AVAssetWriterInput]) -> Result<[WriterCore.Plan], ObscuraError> {
        do throws(ObscuraError) {
            var plans: [WriterCore.Plan] = []
            for input in inputs { plans.append(try input.plan()) }
            return .success(plans)
        } catch {
            return .failure(error)
        }
    }

    /// Starts a segment of the movie. Samples with earlier times are skipped. The writer fails if it is not writing, or
    /// if a segment is open.
    ///
    /// - Parameter startTime: the time of the samples at which the segment starts.
    public func startSession(atSourceTime startTime: CMTime) {
        core.startSession(at: startTime)
    }

    /// Ends a segment of the movie. Optional for the last segment: without this call, it ends with its last sample. The
    /// writer fails if no segment is open.
    ///
    /// - Parameter endTime: the time of the samples at which the segment ends. The last frame is shown until then.
    public func endSession(atSourceTime endTime: CMTime) {
        core.endSession(at: endTime)
    }

    /// Completes the movie in the background. Samples whose `append` has not returned may be missing. If another file
    /// has been created at ``outputURL`` in the meantime, it is not replaced.
    ///
    /// - Parameter handler: called on an arbitrary queue when ``status`` is final.
    @preconcurrency
    public func finishWriting(completionHandler handler: @escaping @Sendable () -> Void) {
        core.finish(handler)
    }

    /// Completes the movie; see ``finishWriting(completionHandler:)``.
    public func finishWriting() async {
        await withCheckedContinuation { continuation in core.finish { continuation.resume() } }
    }

    /// Cancels the movie, and deletes the file. Blocks until it is deleted. Without effect after the end, and after
    /// ``finishWriting(completionHandler:)``.
    public func cancelWriting() {
        core.cancel()
    }
}
