// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraFFmpeg
internal import ObscuraMedia

/// The sound of one source of a mix, in the format of the mix and in its place on the timeline of the mix. One thread at a
/// time.
///
/// Sound whose clock drifts is resampled, so that it keeps to its times. It begins and ends with short fades.
final class MixerTrack {
    /// The format of the mix: interleaved floating point.
    private let format: AudioFormat
    private var resampler: AudioResampler?
    private var correction = DriftCorrection()
    /// The resampler of the correction; nil as long as there is nothing to correct.
    private var stretcher: VariableRateResampler?
    private var last: AudioBuffer?
    /// The samples that wait, and the position of the first one in the mix.
    private var samples: [Float] = []
    private var start: Int64 = 0
    /// The end of the last block that was taken.
    private var taken: Int64 = 0
    /// The number of silent frames that were filled into gaps, and not reported yet.
    private var filledCount = 0
    /// Whether the sound before ``start`` was taken, so that the next piece continues it.
    private var isFlowing = false
    private var nextPosition: UInt64?
    /// Whether the next piece is placed exact to the sample, because the last one was already there.
    private var isExact = false
    /// The gains at the end of the last block.
    private var gains: [Float]?

    /// The longest sound that waits, in seconds.
    private static let longestWait = 2
    private static let fade = 0.005

    /// - Parameter format: the format of the mix.
    init(_ format: AudioFormat) {
        self.format = format
    }

    private var end: Int64 { start + Int64(samples.count / format.channelCount) }
    private var fadeCount: Int { Int(Self.fade * Double(format.sampleRate)) }

    /// Adds sound.
    ///
    /// - Parameter begin: the host time of position 0 of the mix.
    /// - Throws: ``ObscuraError`` if the sound cannot be converted.
    func add(_ buffer: AudioBuffer, begin: HostTime) throws(ObscuraError) {
        var buffer = buffer
        if let nextPosition, buffer.position > nextPosition, buffer.attachments.gap == 0 {
            buffer.attachments.gap = buffer.position - nextPosition
        }
        nextPosition = buffer.position &+ UInt64(buffer.frameCount)
        if resampler?.source != buffer.format {
            try flush(begin)
            resampler = try AudioResampler(from: buffer.format, to: format)
        }
        for piece in try resampler?.convert(buffer) ?? [] { try put(piece, begin) }
    }

    /// Takes the sound of the next block and adds it to the mix, with the gains; what is missing is silent.
    ///
    /// - Parameters:
    ///   - position: the position of the block in the mix.
    ///   - mix: the samples of the block.
    ///   - newGains: the gain of each channel at the end of the block.
    /// - Returns: the number of missing sample frames.
    func take(at position: Int64, into mix: inout [Float], _ newGains: [Float]) -> Int {
        let channelCount = format.channelCount
        let count = mix.count / channelCount
        drop(before: position)
        taken = position + Int64(count)
        let first = Int(min(max(0, start - position), Int64(count)))
        let available = min(samples.count / channelCount, count - first)
        if available > 0, available + first < count { fadeOut(available) }
        let oldGains = gains ?? newGains
        gains = newGains
        for frame in 0..<available {
            let part = Float(first + frame + 1) / Float(count)
            for channel in 0..<channelCount {
                let gain =
                    oldGains[channel] == newGains[channel]
                    ? newGains[channel] : oldGains[channel] + (newGains[channel] - oldGains[channel]) * part
                mix[(first + frame) * channelCount + channel] += samples[frame * channelCount + channel] * gain
            }
        }
        samples.removeFirst(available * channelCount)
        start = max(start, position) + Int64(available)
        isFlowing = first + available == count && available > 0
        if !isFlowing { start = max(start, taken) }
        defer { filledCount = 0 }
        return count - available + filledCount
    }

    // MARK: Placing

    private func put(_ buffer: AudioBuffer, _ begin: HostTime) throws(ObscuraError) {
        let rate = Double(format.sampleRate)
        let since = buffer.hostTime - begin
        // Times come from drivers: the seconds are limited before they are multiplied.
        let place = Int64((min(max(-1e6, since / .seconds(1)), 1e6) * rate).rounded())
        let error = Double(place - end) - (stretcher?.delay ?? 0)
        let longest = DriftCorrection.longestError(of: buffer.attachments)
        if !isExact, isFlowing || !samples.isEmpty, abs(error) <= longest * rate {
            return try follow(buffer, error / rate)
        }
        try endStretching()
        // Times that no running device has.
        guard place - taken <= Int64(Self.longestWait * format.sampleRate) else { return }
        let gap = place - end
        if samples.isEmpty {
            start = max(place, start)
            isFlowing = false
        } else if gap > 0 {
            fadeOut(samples.count / format.channelCount)
            samples += [Float](repeating: 0, count: Int(gap) * format.channelCount)
            filledCount += Int(gap)
        }
        let skipped = Int(min(max(0, end - place), Int64(buffer.frameCount)))
        isExact = skipped == buffer.frameCount
        append(buffer, skipping: skipped, fadesIn: !isFlowing || gap > 0)
        last = buffer
    }

    private func follow(_ buffer: AudioBuffer, _ error: Double) throws(ObscuraError) {
        let part = correction.correct(
            error, over: Double(buffer.frameCount) / Double(format.sampleRate),
            isEstimated: buffer.attachments.isTimeEstimated)
        defer { last = buffer }
        guard correction.isActive else { return append(buffer) }
        if stretcher == nil { stretcher = try VariableRateResampler(format, after: last) }
        if let made = try stretcher?.convert(buffer, stretchedBy: part) { append(made) }
    }

    private func endStretching() throws(ObscuraError) {
        correction.restart()
        if let rest = try stretcher?.finish() { append(rest) }
        stretcher = nil
    }

    private func flush(_ begin: HostTime) throws(ObscuraError) {
        if let rest = try resampler?.finish() { try put(rest, begin) }
        try endStretching()
    }

    private func append(_ buffer: AudioBuffer, skipping count: Int = 0, fadesIn: Bool = false) {
        guard case .float32(let new) = buffer.samples else { return }
        let first = samples.count
        samples += new.dropFirst(count * format.channelCount)
        if fadesIn { ramp(from: first, count: (samples.count - first) / format.channelCount) { $0 } }
        let most = Self.longestWait * format.sampleRate
        // Nobody takes it.
        if samples.count / format.channelCount > most { drop(before: end - Int64(most)) }
    }

    private func drop(before position: Int64) {
        let count = min(max(0, position - start), end - start)
        guard count > 0 else { return }
        samples.removeFirst(Int(count) * format.channelCount)
        start += count
    }

    /// Fades the end of the first `count` frames out.
    private func fadeOut(_ count: Int) {
        let length = min(count, fadeCount)
        ramp(from: (count - length) * format.channelCount, count: length) { 1 - $0 }
    }

    /// Multiplies up to a fade's length of frames from an index on by a ramp.
    private func ramp(from first: Int, count: Int, _ shape: (Float) -> Float) {
        let length = min(count, fadeCount)
        for frame in 0..<length {
            let factor = shape((Float(frame) + 0.5) / Float(length))
            for channel in 0..<format.channelCount { samples[first + frame * format.channelCount + channel] *= factor }
        }
    }
}
