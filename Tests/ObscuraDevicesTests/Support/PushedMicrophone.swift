// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import ObscuraCapture
import ObscuraMedia

/// A microphone that delivers what a test tells it to, on the thread of the test.
final class PushedMicrophone: CaptureDriver {
    let uniqueID = "pushed"
    let localizedName = "Pushed"
    let format: AudioFormat
    let mediaTypes: Set<MediaType> = [.audio]
    let formats: [VideoFormat] = []
    private let state = Lock<(run: PushedSound?, position: UInt64)>((nil, 0))

    init(_ format: AudioFormat) {
        self.format = format
    }

    var audioFormats: [AudioFormat] { [format] }
    var sink: (any CaptureSink)? { state.withLock { $0.run }?.sink }

    func makeRun(_ request: RunRequest, sink: any CaptureSink, clock: any CaptureClock) -> any CaptureRun {
        let run = PushedSound(format: format, sink: sink)
        state.withLock { $0.run = run }
        return run
    }

    /// Delivers a buffer.
    func push(_ samples: [Int16]) {
        let position = state.withLock { state in
            defer { state.position += UInt64(samples.count / format.channelCount) }
            return state.position
        }
        let time = format.duration(ofFrames: Int(position))
        sink?.receive(
            AudioBuffer(
                format: format, samples: .int16(samples), presentationTime: time,
                hostTime: HostTime(nanoseconds: time.nanoseconds), position: position))
    }
}

/// A run of a ``PushedMicrophone``.
final class PushedSound: CaptureRun {
    let format: AudioFormat
    weak let sink: (any CaptureSink)?

    init(format: AudioFormat, sink: any CaptureSink) {
        self.format = format
        self.sink = sink
    }

    func start() throws -> SourceFormat { SourceFormat(audio: format) }
    func cancel() {}
    func stop() {}
}
