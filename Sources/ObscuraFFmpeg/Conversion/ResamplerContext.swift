// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg
internal import ObscuraMedia

/// A converter of libswresample. Not thread-safe: use one thread at a time.
final class ResamplerContext {
    let source: AudioFormat
    let target: AudioFormat
    private let context: OpaquePointer

    /// - Parameters:
    ///   - matrix: a row for each target channel; nil to use that of libswresample.
    ///   - isVariable: whether the rate can be changed with ``stretch(by:)``.
    /// - Throws: ``ObscuraError/Code/outOfMemory``, or ``ObscuraError/Code/unreadable`` if the conversion is not
    ///   supported.
    init(
        from source: AudioFormat, to target: AudioFormat, matrix: [Double]? = nil, isVariable: Bool = false
    ) throws(ObscuraError) {
        try FFmpegLibrary.load()
        self.source = source
        self.target = target
        var (from, to) = (AudioSamples.layout(source.channelCount), AudioSamples.layout(target.channelCount))
        var made: OpaquePointer?
        guard
            libav.swr_alloc_set_opts2(
                &made, &to, AudioSamples.ffmpeg(target), Int32(target.sampleRate), &from, AudioSamples.ffmpeg(source),
                Int32(source.sampleRate), 0, nil) >= 0, let made
        else { throw .outOfMemory(.movies, "audio of \(source)") }
        // From here on, a thrown error runs deinit, which frees the context.
        context = made
        let options = UnsafeMutableRawPointer(made)
        _ = libav.av_opt_set_double(options, "rematrix_maxval", 1, 0)
        if isVariable {
            // Even between equal rates. Interpolation between the phases of the filter, of which a rate that changes has
            // no fixed number, keeps the errors below those of 16-bit samples.
            _ = libav.av_opt_set_int(options, "flags", Int64(SWR_FLAG_RESAMPLE), 0)
            _ = libav.av_opt_set_int(options, "linear_interp", 1, 0)
            _ = libav.av_opt_set_int(options, "exact_rational", 0, 0)
            _ = libav.av_opt_set_sample_fmt(options, "internal_sample_fmt", AV_SAMPLE_FMT_FLTP, 0)
        }
        var status: Int32 = 0
        if let matrix { status = libav.swr_set_matrix(made, matrix, Int32(source.channelCount)) }
        if status >= 0 { status = libav.swr_init(made) }
        guard status >= 0 else { throw failure(status) }
    }

    deinit {
        var context: OpaquePointer? = context
        libav.swr_free(&context)
    }

    /// The input that has not become output yet, in sample frames of the target; fractions count.
    var delay: Double {
        let fractions = 1024
        return Double(libav.swr_get_delay(context, Int64(target.sampleRate * fractions))) / Double(fractions)
    }

    /// Discards the input that has not become output yet.
    func reset() throws(ObscuraError) {
        guard libav.swr_init(context) >= 0 else { throw .outOfMemory(.movies, "audio of \(source)") }
    }

    /// Makes the output of what follows longer by this part, such as 0.001; a negative one makes it shorter.
    func stretch(by part: Double) throws(ObscuraError) {
        // The part is valid for this number of sample frames, much longer than a buffer, so that it can be small.
        let distance: Int32 = 1 << 24
        let status = libav.swr_set_compensation(context, Int32((part * Double(distance)).rounded()), distance)
        guard status >= 0 else { throw failure(status) }
    }

    /// Skips this number of sample frames of the output.
    func skip(_ count: Int) throws(ObscuraError) {
        let status = libav.swr_drop_output(context, Int32(clamping: count))
        guard status >= 0 else { throw failure(status) }
    }

    /// Adds the samples of a buffer of ``source``, if any, and returns the available output, at most `limit` sample
    /// frames.
    func convert(_ buffer: AudioBuffer?, limit: Int? = nil) throws(ObscuraError) -> AudioBuffer.Samples? {
        let most = max(0, Int(libav.swr_get_out_samples(context, Int32(clamping: buffer?.frameCount ?? 0))))
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
                    libav.swr_convert(context, &places, Int32(room), &input, Int32(buffer.frameCount))
                }
            } else {
                status = libav.swr_convert(context, &places, Int32(room), nil, 0)
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
        guard status >= 0 else { throw failure(status) }
        return status > 0 ? samples : nil
    }

    private func failure(_ status: Int32) -> ObscuraError {
        ObscuraError(
            .movies, .unreadable, subject: "audio of \(source)",
            reason: "it cannot be converted to \(target): \(FFmpegCode.text(status))")
    }
}
