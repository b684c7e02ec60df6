// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import AVFoundation
import ObscuraBase

/// Keeps what a video or audio output delivers.
final class SampleRecord: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate,
    AVCaptureAudioDataOutputSampleBufferDelegate
{
    struct Sample: Sendable {
        let buffer: CMSampleBuffer
        let connection: AVCaptureConnection
        let isOnQueue: Bool
        /// Whether another callback ran at the same time.
        let overlaps: Bool
    }

    static let key = DispatchSpecificKey<Int>()

    private struct State {
        var delivered: [Sample] = []
        var dropped: [CMSampleBuffer] = []
        var isBlocked = false
        var running = 0
    }

    /// A queue that callbacks recognize.
    let queue: DispatchQueue
    private let state: Lock<State>
    private let keeps: Bool

    /// - Parameters:
    ///   - isBlocked: whether callbacks wait for ``release()``.
    ///   - keeps: whether all samples are kept, or only the last one.
    init(isBlocked: Bool = false, keeps: Bool = true) {
        queue = DispatchQueue(label: "samples")
        queue.setSpecific(key: Self.key, value: 7)
        state = Lock(State(isBlocked: isBlocked))
        self.keeps = keeps
    }

    var delivered: [Sample] { state.withLock { $0.delivered } }
    var dropped: [CMSampleBuffer] { state.withLock { $0.dropped } }

    func release() { state.withLockSignalling { $0.isBlocked = false } }

    func captureOutput(
        _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
    ) {
        let isOnQueue = DispatchQueue.getSpecific(key: Self.key) == 7
        state.withLockSignalling { state in
            if !keeps { state.delivered.removeAll() }
            state.delivered.append(
                Sample(buffer: sampleBuffer, connection: connection, isOnQueue: isOnQueue, overlaps: state.running > 0))
            state.running += 1
        }
        _ = state.wait { $0.isBlocked ? nil : true }
        state.withLock { $0.running -= 1 }
    }

    func captureOutput(
        _ output: AVCaptureOutput, didDrop sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
    ) {
        state.withLock { $0.dropped.append(sampleBuffer) }
    }
}
