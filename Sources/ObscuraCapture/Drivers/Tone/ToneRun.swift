// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraMedia

/// A run that generates sound and delivers it on a thread of its own.
final class ToneRun: ThreadedRun {
    private let signal: ToneSignal
    private let format: AudioFormat
    private let isLive: Bool
    private let sink: any CaptureSink
    private let clock: any CaptureClock
    let thread = RunThread()

    /// The number of buffers per second.
    private static let buffersPerSecond = 100

    init(
        signal: ToneSignal, format: AudioFormat, isLive: Bool, sink: any CaptureSink, clock: any CaptureClock
    ) {
        self.signal = signal
        self.format = format
        self.isLive = isLive
        self.sink = sink
        self.clock = clock
    }

    func start() throws -> SourceFormat {
        let begin = clock.now
        try thread.start(name: "tone", subject: "tone") { [self] in run(from: begin) }
        return SourceFormat(audio: format)
    }

    private func run(from begin: HostTime) {
        let count = format.sampleRate / Self.buffersPerSecond
        // If live, the position in the signal is the position within the clock's second.
        let origin =
            isLive ? MediaTime(value: begin.nanoseconds, timescale: 1_000_000_000) : .zero
        let first = UInt64(max(0, origin.converted(toTimescale: Int32(format.sampleRate)).value))
        var position: UInt64 = 0
        var gap: UInt64 = 0
        while true {
            let time = format.duration(ofFrames: Int(position))
            let stamp = begin + time.duration
            if isLive {
                // A buffer is due when its last sample is.
                let end = begin + format.duration(ofFrames: Int(position) + count).duration
                guard clock.wait(until: end, unless: thread.cancellation) else { return }
                // Sound not consumed for a second is lost, as in a sound card.
                let late = clock.now - end
                if late > .seconds(1) {
                    let missed = UInt64(late.wholeNanoseconds / 1_000_000_000) * UInt64(format.sampleRate)
                    position += missed
                    gap += missed
                    continue
                }
            }
            if thread.cancellation.isCancelled { return }
            var attachments = AudioBuffer.Attachments()
            attachments.gap = gap
            gap = 0
            let samples = signal.samples(from: first &+ position, count: count, sampleRate: format.sampleRate)
            sink.receive(
                AudioBuffer(
                    format: format, samples: samples.spread(in: format),
                    presentationTime: isLive ? stamp.mediaTime : time, hostTime: isLive ? stamp : clock.now,
                    position: position, attachments: attachments))
            position += UInt64(count)
        }
    }
}

extension [Float] {
    /// Returns the same signal on all channels, interleaved.
    fileprivate func spread(in format: AudioFormat) -> AudioBuffer.Samples {
        let all = flatMap { repeatElement($0, count: format.channelCount) }
        return switch format.sampleType {
        case .float32: .float32(all)
        case .int16: .int16(all.map { Int16(($0 * 32_767).rounded()) })
        case .int32: .int32(all.map { Int32((Double($0) * 2_147_483_647).rounded()) })
        }
    }
}
