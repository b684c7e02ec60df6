// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg
package import ObscuraMedia

/// A converter of audio between formats: sample rate, channels, sample type, interleaved or planar.
///
/// Not thread-safe: use one thread at a time. Converting the rate needs some of the following samples, so the output
/// lags slightly behind the input; its times account for this. After ``finish()``, the output of a segment has exactly
/// as many sample frames as the rates require, rounded.
///
/// Mono becomes stereo with the same loudness, and stereo becomes mono as the mean, so that neither can clip; other
/// layouts are mixed by ITU-R BS.775, as libswresample does, and limited to full scale.
package final class AudioResampler {
    package let source: AudioFormat
    package let target: AudioFormat

    private let context: ResamplerContext
    private let isIdentity: Bool
    /// The input and output since the start of the segment, in sample frames of each rate.
    private var inputCount: Int64 = 0
    private var outputCount: Int64 = 0
    /// The end of the input, and the properties of its start; nil before the first buffer.
    private var stretch: Stretch?

    private struct Stretch {
        var end: MediaTime
        var hostEnd: HostTime
        var position: UInt64
        var nextPosition: UInt64
        /// The attachments of the first output buffer.
        var attachments: AudioBuffer.Attachments
    }

    /// - Throws: ``ObscuraError/Code/outOfMemory``, or ``ObscuraError/Code/unreadable`` if the conversion is not
    ///   supported.
    package init(from source: AudioFormat, to target: AudioFormat) throws(ObscuraError) {
        self.source = source
        self.target = target
        isIdentity = source == target
        context = try ResamplerContext(from: source, to: target, matrix: Self.mix(source, target))
    }

    /// Converts a buffer and returns the output that is available: none, one buffer, or, if the buffer does not
    /// continue the previous one, also the rest of the previous segment.
    ///
    /// - Throws: ``ObscuraError/Code/unreadable`` for a buffer whose format is not ``source``.
    package func convert(_ buffer: AudioBuffer) throws(ObscuraError) -> [AudioBuffer] {
        guard buffer.format == source else {
            throw ObscuraError(
                .movies, .unreadable, subject: "audio of \(buffer.format)",
                reason: "the converter was created for audio of \(source)")
        }
        if isIdentity { return [buffer] }
        var made: [AudioBuffer] = []
        if let stretch, isBreak(buffer, after: stretch) {
            if let rest = try finish() { made.append(rest) }
        }
        var now = stretch ?? start(buffer)
        let lag = source.duration(ofFrames: Int(inputCount)) - target.duration(ofFrames: Int(outputCount))
        let time = buffer.presentationTime - lag
        let hostTime = buffer.hostTime + .nanoseconds(-lag.nanoseconds)
        inputCount += Int64(buffer.frameCount)
        now.end = buffer.presentationTime + buffer.duration
        now.hostEnd = buffer.hostTime + buffer.duration.duration
        // Positions come from drivers and from traces, which may have any.
        now.nextPosition = buffer.position &+ UInt64(buffer.frameCount)
        stretch = now
        if let output = try take(buffer, limit: nil, time: time, hostTime: hostTime) { made.append(output) }
        return made
    }

    /// Ends the segment and returns the rest of its output; nil if there is none. Afterwards a new segment may begin.
    package func finish() throws(ObscuraError) -> AudioBuffer? {
        guard let stretch, !isIdentity else { return nil }
        let whole = (inputCount * Int64(target.sampleRate) + Int64(source.sampleRate) / 2) / Int64(source.sampleRate)
        let lag = source.duration(ofFrames: Int(inputCount)) - target.duration(ofFrames: Int(outputCount))
        var rest: AudioBuffer?
        if whole > outputCount {
            rest = try take(
                nil, limit: Int(whole - outputCount), time: stretch.end - lag,
                hostTime: stretch.hostEnd + .nanoseconds(-lag.nanoseconds))
        }
        self.stretch = nil
        (inputCount, outputCount) = (0, 0)
        try context.reset()
        return rest
    }

    private func start(_ buffer: AudioBuffer) -> Stretch {
        let scale = Int128(buffer.position) * Int128(target.sampleRate) / Int128(source.sampleRate)
        return Stretch(
            end: buffer.presentationTime, hostEnd: buffer.hostTime, position: UInt64(clamping: scale),
            nextPosition: buffer.position, attachments: buffer.attachments)
    }

    /// Whether samples are missing between the segment and the buffer, or they are not continuous.
    private func isBreak(_ buffer: AudioBuffer, after stretch: Stretch) -> Bool {
        buffer.attachments.isDiscontinuity || buffer.attachments.gap > 0 || buffer.position > stretch.nextPosition
    }

    /// Adds the samples, if any, and returns the available output, at most `limit` sample frames.
    private func take(
        _ buffer: AudioBuffer?, limit: Int?, time: MediaTime, hostTime: HostTime
    ) throws(ObscuraError) -> AudioBuffer? {
        guard let samples = try context.convert(buffer, limit: limit) else { return nil }
        var attachments = AudioBuffer.Attachments()
        var position: UInt64 = 0
        if let stretch {
            if outputCount == 0 {
                attachments = stretch.attachments
            }
            attachments.isTimeEstimated = buffer?.attachments.isTimeEstimated ?? stretch.attachments.isTimeEstimated
            attachments.dequeueTime = buffer?.attachments.dequeueTime
            attachments.clockDrift = buffer?.attachments.clockDrift ?? stretch.attachments.clockDrift
            position = stretch.position &+ UInt64(outputCount)
        }
        outputCount += Int64(samples.count / target.channelCount)
        return AudioBuffer(
            format: target, samples: samples, presentationTime: time, hostTime: hostTime, position: position,
            attachments: attachments)
    }

    /// Returns the mixing matrix, with a row for each target channel; nil to use that of libswresample.
    private static func mix(_ from: AudioFormat, _ to: AudioFormat) -> [Double]? {
        let (sources, targets) = (from.channelCount, to.channelCount)
        guard sources != targets else { return nil }
        let arePlaced = [sources, targets].allSatisfy { AudioSamples.layout($0).order != AV_CHANNEL_ORDER_UNSPEC }
        var matrix = [Double](repeating: 0, count: sources * targets)
        switch (sources, targets) {
        case (1, _): for row in 0..<min(2, targets) { matrix[row] = 1 }
        case (2, 1): matrix = [0.5, 0.5]
        case _ where arePlaced: return nil
        case (_, 1): matrix = [Double](repeating: 1 / Double(sources), count: sources)
        default: for channel in 0..<min(sources, targets) { matrix[channel * sources + channel] = 1 }
        }
        return matrix
    }
}
