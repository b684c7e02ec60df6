// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import ObscuraCapture
import ObscuraMedia

/// A microphone that gives what a test tells it to, on the thread of the test.
final class HandMicrophone: CaptureDriver {
    let uniqueID: String
    let format: AudioFormat
    let mediaTypes: Set<MediaType> = [.audio]
    let formats: [VideoFormat] = []
    let isLive: Bool
    private let state = Lock<(run: HandSound?, position: UInt64)>((nil, 0))

    init(
        _ name: String = "microphone", format: AudioFormat = AudioFormat(sampleRate: 1000, channelCount: 1),
        isLive: Bool = true
    ) {
        uniqueID = name
        self.format = format
        self.isLive = isLive
    }

    var localizedName: String { uniqueID }
    var audioFormats: [AudioFormat] { [format] }
    var sink: (any CaptureSink)? { state.withLock { $0.run }?.sink }

    func makeRun(_ request: RunRequest, sink: any CaptureSink, clock: any CaptureClock) -> any CaptureRun {
        let run = HandSound(format: format, sink: sink)
        state.withLock { $0.run = run }
        return run
    }

    func makeAudioConverter(
        from format: AudioFormat, to other: AudioFormat
    ) throws(ObscuraError) -> (any AudioConverter)? {
        other.sampleRate == format.sampleRate ? Halver(to: other) : nil
    }

    /// Has so many buffers come, each of `samples`; a gap lies before the first.
    func give(
        _ count: Int = 1, _ samples: AudioBuffer.Samples = .float32([0.5, -0.5]), gap: UInt64 = 0, drift: Double? = nil
    ) {
        for index in 0..<count {
            let before = index == 0 ? gap : 0
            let length = UInt64(samples.count / format.channelCount)
            let position = state.withLock { state in
                defer { state.position += before + length }
                return state.position + before
            }
            var attachments = AudioBuffer.Attachments()
            attachments.gap = before
            attachments.clockDrift = drift
            let time = format.duration(ofFrames: Int(position))
            sink?.receive(
                AudioBuffer(
                    format: format, samples: samples, presentationTime: time,
                    hostTime: HostTime(nanoseconds: time.nanoseconds), position: position, attachments: attachments))
        }
    }
}

final class HandSound: CaptureRun {
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

/// Halves each sample, and keeps one buffer back, as a converter of rates keeps a part.
final class Halver: AudioConverter {
    private let target: AudioFormat
    private let kept = Lock<AudioBuffer?>(nil)

    init(to target: AudioFormat) {
        self.target = target
    }

    func convert(_ sound: AudioBuffer) throws(ObscuraError) -> [AudioBuffer] {
        guard case .float32(let samples) = sound.samples else {
            throw ObscuraError(.capture, .deviceFailed, subject: "halver", reason: "it halves floating point alone")
        }
        let half = AudioBuffer(
            format: target, samples: .float32(samples.map { $0 / 2 }), presentationTime: sound.presentationTime,
            hostTime: sound.hostTime, position: sound.position, attachments: sound.attachments)
        let former = kept.withLock { kept in
            defer { kept = half }
            return kept
        }
        return former.map { [$0] } ?? []
    }

    func finish() throws(ObscuraError) -> AudioBuffer? {
        kept.withLock { kept in
            defer { kept = nil }
            return kept
        }
    }
}
