// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg
package import ObscuraMedia

/// An encoder of audio of one format to compressed packets. Not thread-safe: use one thread at a time.
package final class AudioStreamEncoder {
    package let encoder: Encoder
    package let format: AudioFormat
    private let fifo: AudioFIFO
    /// The position in the movie of the next sample frame for the encoder.
    private var position: Int64 = 0
    /// The number of sample frames of silence that the encoder did not get, because packets were repeated.
    private var repeatedCount: Int64 = 0
    /// The number of sample frames that are held back, so that a segment can still be cut at its end, or faded out.
    private let holdback: Int
    /// The length of a fade, in sample frames: 5 ms.
    private let fade: Int

    /// - Parameter isLive: whether each packet must be returned as soon as possible.
    package init(_ settings: AudioSettings, isLive: Bool = false) throws(ObscuraError) {
        let format = settings.format
        self.format = format
        fade = format.sampleRate / 200
        holdback = isLive ? fade : format.sampleRate / 20
        fifo = try AudioFIFO(format)
        let name =
            switch settings.codec {
            case .aac: "aac"
            case .opus: "libopus"
            case .flac: "flac"
            case .pcm: "pcm_s16le"
            }
        encoder = try Encoder(name, timescale: Int32(format.sampleRate)) { context in
            context.pointee.sample_fmt = AudioSamples.ffmpeg(format)
            context.pointee.sample_rate = Int32(format.sampleRate)
            context.pointee.ch_layout = AudioSamples.layout(format.channelCount)
            if settings.codec == .aac || settings.codec == .opus {
                context.pointee.bit_rate = Int64(settings.bitRate ?? 64_000 * format.channelCount)
            }
        }
    }

    /// The position in the movie after all accepted samples.
    package var end: Int64 { position + Int64(fifo.count) }

    /// Appends audio of ``format``, from its sample frame `first` on.
    ///
    /// - Parameter fadesIn: whether the audio follows silence, so that it must begin without a step, which is a click.
    package func append(
        _ buffer: AudioBuffer, from first: Int = 0, fadesIn: Bool = false
    ) throws(ObscuraError) -> [EncodedPacket] {
        let begin = fifo.count
        try fifo.append(buffer, from: first)
        if fadesIn { try fifo.fade(begin..<min(begin + fade, fifo.count), isOut: false) }
        return try encode(keeping: holdback)
    }

    /// Fades out the end of the audio, before silence.
    package func fadeOut() throws(ObscuraError) {
        try fifo.fade(max(0, fifo.count - fade)..<fifo.count, isOut: true)
    }

    package func appendSilence(_ count: Int64) throws(ObscuraError) -> [EncodedPacket] {
        var packets: [EncodedPacket] = []
        var rest = count
        while rest > 0 {
            let part = min(rest, Int64(format.sampleRate))
            try fifo.appendSilence(Int(part))
            let encoded = try encode(keeping: holdback)
            rest -= part
            packets += encoded + repetitions(after: encoded, &rest)
        }
        return packets
    }

    /// Repeats the last packet for the rest of a silence, if the encoder makes the same packet of each part of it. It would
    /// need minutes for hours of silence, in which other tracks lose frames.
    ///
    /// - Parameter encoded: packets that end within silence.
    private func repetitions(after encoded: [EncodedPacket], _ rest: inout Int64) -> [EncodedPacket] {
        guard let last = encoded.last, last.duration > 0, encoded.suffix(2).map(\.bytes) == [last.bytes, last.bytes]
        else { return [] }
        let count = rest / last.duration
        rest -= count * last.duration
        position += count * last.duration
        repeatedCount += count * last.duration
        return (0..<count).map {
            last.shown(from: last.units + ($0 + 1) * last.duration, lead: 0, for: last.duration)
        }
    }

    /// Discards the samples after this position that have not been encoded.
    package func cut(at place: Int64) throws(ObscuraError) {
        try fifo.keep(Int(clamping: max(0, place - position)))
    }

    /// Ends the encoding and returns the remaining packets.
    package func finish() throws(ObscuraError) -> [EncodedPacket] {
        var packets = try encode(keeping: 0)
        if fifo.count > 0 {
            // The last frame may be shorter.
            try encoder.send(try take(fifo.count))
            packets += try drain()
        }
        try encoder.send(nil)
        return try packets + drain()
    }

    private func encode(keeping holdback: Int) throws(ObscuraError) -> [EncodedPacket] {
        var packets: [EncodedPacket] = []
        let size = encoder.frameSize > 0 ? encoder.frameSize : 1024
        while fifo.count >= size + holdback {
            try encoder.send(try take(size))
            packets += try drain()
        }
        return packets
    }

    private func take(_ count: Int) throws(ObscuraError) -> Frame {
        let frame = try fifo.take(count, units: position - repeatedCount)
        position += Int64(count)
        return frame
    }

    /// Returns all packets that are ready, after those that were repeated.
    private func drain() throws(ObscuraError) -> [EncodedPacket] {
        var packets = try encoder.drain()
        for index in packets.indices { packets[index].units += repeatedCount }
        return packets
    }
}
