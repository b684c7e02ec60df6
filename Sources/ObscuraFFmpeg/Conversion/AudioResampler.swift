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

    private let context: OpaquePointer
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
        var (from, to) = (AudioSamples.layout(source.channelCount), AudioSamples.layout(target.channelCount))
        var made: OpaquePointer?
        guard
            swr_alloc_set_opts2(
                &made, &to, AudioSamples.ffmpeg(target), Int32(target.sampleRate), &from, AudioSamples.ffmpeg(source),
                Int32(source.sampleRate), 0, nil) >= 0, let made
        else { throw .outOfMemory(.movies, "audio of \(source)") }
        // From here on, a thrown error runs deinit, which frees the context.
        context = made
        av_opt_set_double(UnsafeMutableRawPointer(made), "rematrix_maxval", 1, 0)
        var status: Int32 = 0
        if let matrix = Self.mix(from, to) {
            status = swr_set_matrix(made, matrix, Int32(source.channelCount))
        }
        if status >= 0 { status = swr_init(made) }
        guard status >= 0 else {
            throw ObscuraError(
                .movies, .unreadable, subject: "audio of \(source)",
                reason: "it cannot be converted to \(target): \(FFmpegCode.text(status))")
        }
    }

    deinit {
        var context: OpaquePointer? = context
        swr_free(&context)
    }

    /// Converts a buffer and returns the output that is available: none, one buffer, or, if the buffer does not
    /// continue the previous one, also the rest of the previous segment.
    ///
    /// - Throws: ``ObscuraError/Code/unreadable`` for a buffer whose format is not ``source``.
    package func convert(_ buffer: AudioBuffer) throws(ObscuraError) -> [AudioBuffer] {
        guard buffer.format == source else {
            throw ObscuraError(
                .movies, .unreadable, subject: "audio of \(buffer.format)", reason: "the format must be \(source)")
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
        now.nextPosition = buffer.position + UInt64(buffer.frameCount)
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
        // Discards its samples.
        guard swr_init(context) >= 0 else { throw .outOfMemory(.movies, "audio of \(source)") }
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
        buffer.attachments.isDiscontinuity || buffer.attachments.gap > 0 || buffer.position != stretch.nextPosition
    }

    /// Adds the samples, if any, and returns the available output, at most `limit` sample frames.
    private func take(
        _ buffer: AudioBuffer?, limit: Int?, time: MediaTime, hostTime: HostTime
    ) throws(ObscuraError) -> AudioBuffer? {
        let most = max(0, Int(swr_get_out_samples(context, Int32(clamping: buffer?.frameCount ?? 0))))
        let room = limit.map { min($0, max(most, $0)) } ?? most
        guard room > 0 || buffer != nil else { return nil }
        var status: Int32 = 0
        let (width, channels) = (target.sampleType.byteCount, target.channelCount)
        let samples = AudioBuffer.Samples.make(target.sampleType, capacity: max(1, room) * channels) { base in
            guard let base else { return 0 }
            let bytes = base.assumingMemoryBound(to: UInt8.self)
            var places: [UnsafeMutablePointer<UInt8>?] = (0..<(target.isInterleaved ? 1 : channels)).map {
                bytes.advanced(by: $0 * room * width)
            }
            if let buffer {
                status = buffer.withChannels { input in
                    swr_convert(context, &places, Int32(room), &input, Int32(buffer.frameCount))
                }
            } else {
                status = swr_convert(context, &places, Int32(room), nil, 0)
            }
            let count = max(0, Int(status))
            if !target.isInterleaved, count < room {
                for channel in 1..<max(1, channels) where channel < channels {
                    (base + channel * count * width).copyMemory(
                        from: base + channel * room * width, byteCount: count * width)
                }
            }
            return count * channels
        }
        guard status >= 0 else {
            throw ObscuraError(
                .movies, .unreadable, subject: "audio of \(source)",
                reason: "it cannot be converted to \(target): \(FFmpegCode.text(status))")
        }
        guard status > 0 else { return nil }
        var attachments = AudioBuffer.Attachments()
        var position: UInt64 = 0
        if let stretch {
            if outputCount == 0 {
                attachments = stretch.attachments
            }
            attachments.isTimeEstimated = buffer?.attachments.isTimeEstimated ?? stretch.attachments.isTimeEstimated
            attachments.dequeueTime = buffer?.attachments.dequeueTime
            position = stretch.position + UInt64(outputCount)
        }
        outputCount += Int64(status)
        return AudioBuffer(
            format: target, samples: samples, presentationTime: time, hostTime: hostTime, position: position,
            attachments: attachments)
    }

    /// Returns the mixing matrix, with a row for each target channel; nil to use that of libswresample.
    private static func mix(_ from: AVChannelLayout, _ to: AVChannelLayout) -> [Double]? {
        let (sources, targets) = (Int(from.nb_channels), Int(to.nb_channels))
        guard sources != targets else { return nil }
        let arePlaced = from.order != AV_CHANNEL_ORDER_UNSPEC && to.order != AV_CHANNEL_ORDER_UNSPEC
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
