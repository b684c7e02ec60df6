// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg
internal import Glibc
package import ObscuraMedia

/// A queue of audio samples, from buffers of any size to the fixed frame size of an encoder.
package final class AudioFIFO {
    package let format: AudioFormat
    private let fifo: OpaquePointer

    package init(_ format: AudioFormat) throws(ObscuraError) {
        try FFmpegLibrary.load()
        self.format = format
        guard
            let made = libav.av_audio_fifo_alloc(
                AudioSamples.ffmpeg(format), Int32(format.channelCount), Int32(format.sampleRate))
        else { throw .outOfMemory(.recording, "audio") }
        fifo = made
    }

    deinit {
        libav.av_audio_fifo_free(fifo)
    }

    /// The number of sample frames in the queue.
    package var count: Int { Int(libav.av_audio_fifo_size(fifo)) }

    /// Appends the sample frames of `buffer` from `first` on; the buffer must have ``format``.
    package func append(_ buffer: AudioBuffer, from first: Int = 0) throws(ObscuraError) {
        guard buffer.format == format, first < buffer.frameCount else { return }
        let buffer = buffer.withoutAbsurdSamples
        let step = format.sampleType.byteCount * (format.isInterleaved ? format.channelCount : 1)
        let taken = buffer.withChannels { channels in
            var places = channels.map { UnsafeMutableRawPointer(mutating: $0?.advanced(by: first * step)) }
            return libav.av_audio_fifo_write(fifo, &places, Int32(buffer.frameCount - first))
        }
        guard taken >= 0 else { throw .outOfMemory(.recording, "audio") }
    }

    /// Appends this number of sample frames of silence.
    package func appendSilence(_ count: Int) throws(ObscuraError) {
        var rest = count
        while rest > 0 {
            let part = min(rest, format.sampleRate)
            let total = part * format.channelCount
            let samples = AudioBuffer.Samples.make(format.sampleType, capacity: total) { base in
                base?.initializeMemory(as: UInt8.self, repeating: 0, count: total * format.sampleType.byteCount)
                return total
            }
            try append(
                AudioBuffer(
                    format: format, samples: samples, presentationTime: .zero, hostTime: HostTime(nanoseconds: 0)))
            rest -= part
        }
    }

    /// Discards all but the first `count` sample frames.
    package func keep(_ count: Int) throws(ObscuraError) {
        guard self.count > count else { return }
        let kept = count > 0 ? try take(count, units: 0) : nil
        libav.av_audio_fifo_reset(fifo)
        if let kept { try put(kept) }
    }

    /// Fades the sample frames of this range, which must be in the queue, in from silence or out to it.
    package func fade(_ range: Range<Int>, isOut: Bool) throws(ObscuraError) {
        guard !range.isEmpty else { return }
        let frame = try take(count, units: 0)
        let step = format.isInterleaved ? format.channelCount : 1
        for plane in 0..<(format.isInterleaved ? 1 : format.channelCount) {
            guard let samples = frame.pointer.pointee.extended_data[plane] else { continue }
            for (number, place) in range.enumerated() {
                let part = Double(number + 1) / Double(range.count + 1)
                // A raised cosine has no steps at its ends.
                let gain = (1 + cos(.pi * (isOut ? part : 1 - part))) / 2
                for channel in 0..<step { Self.scale(samples, format.sampleType, at: place * step + channel, by: gain) }
            }
        }
        try put(frame)
    }

    private static func scale(
        _ samples: UnsafeMutableRawPointer, _ type: AudioFormat.SampleType, at index: Int, by gain: Double
    ) {
        switch type {
        case .int16:
            let sample = samples.assumingMemoryBound(to: Int16.self) + index
            sample.pointee = Int16((Double(sample.pointee) * gain).rounded())
        case .int32:
            let sample = samples.assumingMemoryBound(to: Int32.self) + index
            sample.pointee = Int32((Double(sample.pointee) * gain).rounded())
        case .float32:
            let sample = samples.assumingMemoryBound(to: Float.self) + index
            sample.pointee *= Float(gain)
        }
    }

    private func put(_ frame: Frame) throws(ObscuraError) {
        let status = withUnsafeBytes(of: &frame.pointer.pointee.data) { places in
            var places = places.bindMemory(to: UnsafeMutableRawPointer?.self).map { $0 }
            return libav.av_audio_fifo_write(fifo, &places, frame.pointer.pointee.nb_samples)
        }
        guard status >= 0 else { throw .outOfMemory(.recording, "audio") }
    }

    /// Removes the next `count` sample frames, which must be available, and returns them as a frame for an encoder.
    package func take(_ count: Int, units: Int64) throws(ObscuraError) -> Frame {
        guard let frame = Frame() else { throw .outOfMemory(.recording, "audio") }
        let pointer = frame.pointer
        pointer.pointee.format = AudioSamples.ffmpeg(format).rawValue
        pointer.pointee.nb_samples = Int32(count)
        pointer.pointee.sample_rate = Int32(format.sampleRate)
        pointer.pointee.ch_layout = AudioSamples.layout(format.channelCount)
        pointer.pointee.pts = units
        var status = libav.av_frame_get_buffer(pointer, 0)
        if status >= 0 {
            status = withUnsafeBytes(of: &pointer.pointee.data) { places in
                var places = places.bindMemory(to: UnsafeMutableRawPointer?.self).map { $0 }
                return libav.av_audio_fifo_read(fifo, &places, Int32(count))
            }
        }
        guard status >= 0 else { throw .outOfMemory(.recording, "audio") }
        return frame
    }
}

extension AudioBuffer {
    /// The largest sample that is encoded: 80 dB above full scale.
    private static let largestSample: Float = 10_000

    /// The buffer with silence in place of samples that are not numbers, or absurdly large, as those of a broken file. The
    /// encoder of AAC fails at some of them, and needs minutes for others.
    fileprivate var withoutAbsurdSamples: AudioBuffer {
        func isUsual(_ sample: Float) -> Bool { sample.magnitude <= Self.largestSample }
        guard case .float32(let samples) = samples, !samples.allSatisfy(isUsual) else { return self }
        return AudioBuffer(
            format: format, samples: .float32(samples.map { isUsual($0) ? $0 : 0 }), presentationTime: presentationTime,
            hostTime: hostTime, position: position, attachments: attachments)
    }
}
