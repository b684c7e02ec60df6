// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraCapture
internal import ObscuraFFmpeg
internal import ObscuraMedia

/// A run of an ``AudioMixerDriver``: the runs of its devices, and the thread that mixes a block of sound every 10 ms.
final class MixerRun: ThreadedRun {
    /// The number of blocks per second.
    private static let blocksPerSecond = 100
    /// The time for which a block waits for the sound of all devices: two usual periods of a sound card, and its jitter.
    private static let patience = Duration.milliseconds(60)

    private let inputs: [MixerInput]
    private let format: AudioFormat
    private let name: String
    private let sink: any CaptureSink
    private let clock: any CaptureClock
    /// The runs of the devices, in the order of the inputs.
    private let runs: [any CaptureRun]
    let thread = RunThread()

    init(
        _ sources: [AudioMixerSource], format: AudioFormat, name: String, request: RunRequest,
        sink: any CaptureSink, clock: any CaptureClock
    ) {
        self.format = format
        self.name = name
        self.sink = sink
        self.clock = clock
        inputs = sources.map { MixerInput($0, format: format) }
        runs = zip(sources, inputs).map { source, input in
            let request = RunRequest(
                audioFormat: source.device.driver.audioFormats.first,
                startsWhenAvailable: request.startsWhenAvailable, pausesWhileLocked: request.pausesWhileLocked)
            return source.device.driver.makeRun(request, sink: input, clock: clock)
        }
    }

    func start() throws -> SourceFormat {
        try FFmpegLibrary.load()
        for run in runs {
            if thread.cancellation.isCancelled { throw ObscuraError.cancelled(.capture, name) }
            _ = try run.start()
        }
        let begin = clock.now
        for input in inputs { input.begin(at: begin) }
        try thread.start(name: "mixer", subject: name) { [self] in mix(from: begin) }
        return SourceFormat(audio: format)
    }

    func cancel() {
        thread.cancellation.cancel()
        for run in runs { run.cancel() }
    }

    func stop() {
        cancel()
        thread.join()
        for run in runs { run.stop() }
    }

    // MARK: The thread

    private func mix(from begin: HostTime) {
        let count = max(1, format.sampleRate / Self.blocksPerSecond)
        var limiter = PeakLimiter(sampleRate: format.sampleRate, channelCount: format.channelCount)
        var position: Int64 = 0
        // The limiter delays its output, whose first frames are of the time before the mix.
        var early = limiter.delay
        var gap: UInt64 = 0
        var isInterrupted = false
        while true {
            let end = begin + format.duration(ofFrames: Int(position) + count).duration
            guard clock.wait(until: end + Self.patience, unless: thread.cancellation),
                !thread.cancellation.isCancelled
            else { return }
            if let failure = tellEvents(&isInterrupted) { return sink.finish(throwing: failure.error) }
            // Sound that is not consumed for a second is lost, as in a sound card.
            let late = clock.now - end - Self.patience
            if late > .seconds(1) {
                let missed = late.wholeNanoseconds / 1_000_000_000 * Int64(format.sampleRate)
                position += missed
                gap += UInt64(missed)
                continue
            }
            var block = [Float](repeating: 0, count: count * format.channelCount)
            for input in inputs { input.take(at: position, into: &block) }
            block = limiter.limit(block)
            let skipped = min(early, count)
            early -= skipped
            let first = position + Int64(skipped - limiter.delay)
            position += Int64(count)
            guard skipped < count else { continue }
            give(Array(block.dropFirst(skipped * format.channelCount)), at: first, begin, gap)
            gap = 0
        }
    }

    private func give(_ samples: [Float], at position: Int64, _ begin: HostTime, _ gap: UInt64) {
        let time = begin + format.duration(ofFrames: Int(position)).duration
        var notes = AudioBuffer.Attachments()
        notes.gap = gap
        sink.receive(
            AudioBuffer(
                format: format, samples: .float32(samples), presentationTime: time.mediaTime, hostTime: time,
                position: UInt64(max(0, position)), attachments: notes))
    }

    /// The end of all devices, with the error of the first one in the list that failed.
    private struct End {
        let error: ObscuraError?
    }

    /// Tells that no device delivers sound, and that one does so again. Returns the end, if all devices have ended.
    private func tellEvents(_ isInterrupted: inout Bool) -> End? {
        let states = inputs.map(\.condition)
        let ends = states.compactMap { if case .ended(let error) = $0 { End(error: error) } else { nil } }
        if ends.count == states.count { return ends.first { $0.error != nil } ?? ends.first }
        let reasons = states.compactMap { if case .interrupted(let reason) = $0 { reason } else { nil } }
        let runs = states.contains { if case .running = $0 { true } else { false } }
        if runs, isInterrupted {
            isInterrupted = false
            sink.resumed()
        } else if !runs, !isInterrupted, let reason = reasons.first {
            isInterrupted = true
            sink.interrupted(reason)
        }
        return nil
    }
}
