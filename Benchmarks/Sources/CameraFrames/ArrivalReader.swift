// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Obscura

/// A delegate that measures a number of frames.
///
/// `@unchecked Sendable`: the callbacks never overlap, and the measurement is read after the session has stopped.
final class ArrivalReader: VideoDataOutputDelegate, @unchecked Sendable {
    private(set) var measurement: Measurement
    private let (ends, ending) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// - Parameter count: the number of frames to read.
    init(count: Int) {
        measurement = Measurement(count: count)
    }

    /// Waits for the last frame, or for the end of the camera.
    func end() async {
        for await _ in ends {}
    }

    func output(_ output: VideoDataOutput, didOutput frame: VideoFrame, from connection: CaptureConnection) {
        guard !measurement.isComplete else { return }
        measurement.add(frame)
        if measurement.isComplete { ending.finish() }
    }

    func output(_ output: VideoDataOutput, didFinishWith error: ObscuraError?) {
        ending.finish()
    }
}
