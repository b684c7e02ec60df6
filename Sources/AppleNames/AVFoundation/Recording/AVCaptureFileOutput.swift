// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Logging
internal import Obscura
internal import ObscuraBase

/// Receives the events of a recording, on a serial queue of the output.
public protocol AVCaptureFileOutputRecordingDelegate: NSObjectProtocol {
    /// The first frame was added to the file. The default does nothing.
    func fileOutput(
        _ output: AVCaptureFileOutput, didStartRecordingTo fileURL: URL, from connections: [AVCaptureConnection])
    /// The recording was paused. The default does nothing.
    func fileOutput(
        _ output: AVCaptureFileOutput, didPauseRecordingTo fileURL: URL, from connections: [AVCaptureConnection])
    /// The recording continues. The default does nothing.
    func fileOutput(
        _ output: AVCaptureFileOutput, didResumeRecordingTo fileURL: URL, from connections: [AVCaptureConnection])
    /// The recording has ended. Called once for each recording, even if it could not start.
    ///
    /// - Parameter error: nil if the recording is complete, after ``AVCaptureFileOutput/stopRecording()`` or at the end
    ///   of the source; else an ``AVError``. `AVErrorRecordingSuccessfullyFinishedKey` in its user info tells whether
    ///   the file can be played. After a limit was reached, it can.
    func fileOutput(
        _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
        from connections: [AVCaptureConnection], error: (any Error)?)
}

extension AVCaptureFileOutputRecordingDelegate {
    /// The default: does nothing.
    public func fileOutput(
        _ output: AVCaptureFileOutput, didStartRecordingTo fileURL: URL, from connections: [AVCaptureConnection]
    ) {}
    /// The default: does nothing.
    public func fileOutput(
        _ output: AVCaptureFileOutput, didPauseRecordingTo fileURL: URL, from connections: [AVCaptureConnection]
    ) {}
    /// The default: does nothing.
    public func fileOutput(
        _ output: AVCaptureFileOutput, didResumeRecordingTo fileURL: URL, from connections: [AVCaptureConnection]
    ) {}
}

/// An output that records to a file.
public class AVCaptureFileOutput: AVCaptureOutput, @unchecked Sendable {  // Its properties are Sendable.
    private static let logger = Logger(label: "obscura.avfoundation")

    let movie: MovieFileOutput
    /// The recording retains its client, which retains this output, until it has ended.
    private struct Current {
        weak var client: RecordingClient?
    }

    private let current = Lock(Current())
    private let queue = DispatchQueue(label: "obscura.avfoundation.recording")

    init(_ movie: MovieFileOutput) {
        self.movie = movie
        super.init(movie)
    }

    /// Returns the options of the next recording.
    func options() -> AssetWriter.Options { AssetWriter.Options() }

    // MARK: Recording

    /// Starts a recording. Returns after the file has been created. The movie begins with the next frame, and the
    /// delegate is then notified. If the recording cannot start, the delegate is notified that it has ended.
    ///
    /// - Parameters:
    ///   - outputFileURL: the file, which must not exist. Its extension selects the container, such as `mov`.
    ///   - delegate: receives the events; retained until the recording has ended.
    public func startRecording(
        to outputFileURL: URL, recordingDelegate delegate: any AVCaptureFileOutputRecordingDelegate
    ) {
        let client = RecordingClient(delegate, outputFileURL, of: self, on: queue)
        guard outputFileURL.isFileURL else {
            return client.fail(
                .invalidSettings(.recording, outputFileURL.absoluteString, "it is not a file URL", nil))
        }
        let failure = BlockingCall.run { [self] () -> ObscuraError? in
            do throws(ObscuraError) {
                try await movie.startRecording(to: outputFileURL.path, options: options(), onEvent: client.note)
                return nil
            } catch {
                return error
            }
        }
        if let failure {
            Self.logger.error("startRecording: \(failure)")
            return client.fail(failure)
        }
        current.withLock { $0.client = client }
    }

    /// Ends the recording with the frames that were received so far. Returns immediately. The delegate is notified when
    /// the file is complete.
    public func stopRecording() { movie.endRecording() }

    /// Pauses the recording. The pause leaves no gap in the movie.
    public func pauseRecording() { movie.pauseRecording() }

    /// Continues a paused recording with the next frame.
    public func resumeRecording() { movie.resumeRecording() }

    /// Whether a recording is running or paused.
    public var isRecording: Bool { movie.isRecording }
    /// Whether the recording is paused.
    public var isRecordingPaused: Bool { movie.isRecording && current.withLock { $0.client }?.isPaused ?? false }
    /// The file of the recording; nil if there is no recording.
    public var outputFileURL: URL? { movie.isRecording ? current.withLock { $0.client }?.url : nil }
    /// The duration of the recording, without pauses, in seconds.
    public var recordedDuration: CMTime { CMTime(movie.recordedDuration) }
    /// The size of the file, in bytes.
    public var recordedFileSize: Int64 { movie.recordedFileSize }

    // MARK: Limits

    /// The duration after which a recording ends, in seconds, without pauses; invalid, the initial value, for no limit.
    public var maxRecordedDuration: CMTime {
        get { movie.maxRecordedDuration.map { CMTime($0) } ?? .invalid }
        set { movie.maxRecordedDuration = newValue.mediaTime }
    }

    /// The size at which a recording ends, in bytes; 0, the initial value, for no limit.
    public var maxRecordedFileSize: Int64 {
        get { movie.maxRecordedFileSize ?? 0 }
        set { movie.maxRecordedFileSize = newValue > 0 ? newValue : nil }
    }

    /// The disk space that a recording leaves free, in bytes (default: 64,000,000).
    public var minFreeDiskSpaceLimit: Int64 {
        get { movie.minFreeDiskSpace }
        set { movie.minFreeDiskSpace = newValue }
    }
}

/// Calls the delegate of a recording on the queue of the output.
private final class RecordingClient: Sendable {
    /// `@unchecked Sendable` is safe because the delegate is used on the queue only.
    private struct Receiver: @unchecked Sendable {
        let delegate: any AVCaptureFileOutputRecordingDelegate
    }

    let url: URL
    private let receiver: Receiver
    private let output: AVCaptureFileOutput
    private let queue: DispatchQueue
    private let paused = Lock(false)
    private let hasStarted = Lock(false)

    init(
        _ delegate: any AVCaptureFileOutputRecordingDelegate, _ url: URL, of output: AVCaptureFileOutput,
        on queue: DispatchQueue
    ) {
        receiver = Receiver(delegate: delegate)
        self.url = url
        self.output = output
        self.queue = queue
    }

    var isPaused: Bool { paused.withLock { $0 } }

    /// Passes an event to the delegate.
    func note(_ event: RecordingEvent) {
        switch event {
        case .started:
            // It comes again with the first frame after a pause, which AVFoundation does not report.
            let isFirst = hasStarted.withLock { hasStarted in
                defer { hasStarted = true }
                return !hasStarted
            }
            if isFirst { call { $0.fileOutput($1, didStartRecordingTo: $2, from: $3) } }
        case .paused:
            paused.withLock { $0 = true }
            call { $0.fileOutput($1, didPauseRecordingTo: $2, from: $3) }
        case .resumed:
            paused.withLock { $0 = false }
            call { $0.fileOutput($1, didResumeRecordingTo: $2, from: $3) }
        case .framesStopped, .framesResumed, .finishedPart, .failedPart: break
        case .finished(let result): end(AVError(result))
        }
    }

    func fail(_ error: ObscuraError) { end(AVError(error, recordingSuccessfullyFinished: false)) }

    private func end(_ error: AVError?) {
        call { $0.fileOutput($1, didFinishRecordingTo: $2, from: $3, error: error) }
    }

    private func call(
        _ body:
            @escaping @Sendable (
                any AVCaptureFileOutputRecordingDelegate, AVCaptureFileOutput, URL, [AVCaptureConnection]
            ) -> Void
    ) {
        queue.async { [self] in body(receiver.delegate, output, url, output.connections) }
    }
}
