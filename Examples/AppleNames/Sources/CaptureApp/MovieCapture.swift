// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import AVFoundation

/// Receives the begin and the end of one movie.
final class MovieCapture: NSObject, AVCaptureFileOutputRecordingDelegate, Sendable {
    private enum Event: Sendable {
        case begun
        case ended(Result<URL, any Error>)
    }

    private let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation

    override init() {
        (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(2))
    }

    /// Waits for the first frame.
    func begin() async throws {
        for await event in events {
            if case .ended(let result) = event { _ = try result.get() }
            return
        }
    }

    /// The file, when it is complete.
    var file: URL {
        get async throws {
            for await case .ended(let result) in events { return try result.get() }
            throw CancellationError()
        }
    }

    func fileOutput(
        _ output: AVCaptureFileOutput, didStartRecordingTo fileURL: URL, from connections: [AVCaptureConnection]
    ) {
        continuation.yield(.begun)
    }

    func fileOutput(
        _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
        from connections: [AVCaptureConnection], error: (any Error)?
    ) {
        // A movie that has reached a limit, or whose camera was unplugged, can be played all the same.
        let isUsable = (error as NSError?)?.userInfo[AVErrorRecordingSuccessfullyFinishedKey] as? Bool ?? (error == nil)
        continuation.yield(.ended(isUsable ? .success(outputFileURL) : .failure(error ?? AVError(.unknown))))
    }
}
