// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg
package import ObscuraMedia

/// Sound of one format to compressed packets. One thread at a time.
package final class AudioEncoder {
    package let encoder: Encoder
    package let format: AudioFormat
    private let fifo: AudioFIFO
    /// The place in the movie of the next sample frame that the encoder gets.
    private var position: Int64 = 0
    /// Samples are held back so long, so that a stretch can still be cut off where it ends.
    private let holdback: Int

    /// - Parameter isLive: whether each piece must come out as soon as it is full.
    package init(_ settings: AudioSettings, isLive: Bool = false) throws(ObscuraError) {
        let format = settings.format
        self.format = format
        holdback = isLive ? 0 : format.sampleRate / 20
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

    /// The place in the movie behind all that has been taken.
    package var end: Int64 { position + Int64(fifo.count) }

    /// Takes sound of ``format``, from its sample frame `first` on.
    package func append(_ buffer: AudioBuffer, from first: Int) throws(ObscuraError) -> [EncodedPacket] {
        try fifo.append(buffer, from: first)
        return try encode(keeping: holdback)
    }

    package func appendSilence(_ count: Int64) throws(ObscuraError) -> [EncodedPacket] {
        var packets: [EncodedPacket] = []
        var rest = count
        while rest > 0 {
            let part = min(rest, Int64(format.sampleRate))
            try fifo.appendSilence(Int(part))
            packets += try encode(keeping: holdback)
            rest -= part
        }
        return packets
    }

    /// Lets go of what lies behind this place, as far as it has not been encoded.
    package func cut(at place: Int64) throws(ObscuraError) {
        try fifo.keep(Int(clamping: max(0, place - position)))
    }

    /// What it still holds.
    package func finish() throws(ObscuraError) -> [EncodedPacket] {
        var packets = try encode(keeping: 0)
        if fifo.count > 0 {
            // The last one may be shorter.
            try encoder.send(try take(fifo.count))
            packets += try encoder.drain()
        }
        try encoder.send(nil)
        return try packets + encoder.drain()
    }

    private func encode(keeping holdback: Int) throws(ObscuraError) -> [EncodedPacket] {
        var packets: [EncodedPacket] = []
        let size = encoder.frameSize > 0 ? encoder.frameSize : 1024
        while fifo.count >= size + holdback {
            try encoder.send(try take(size))
            packets += try encoder.drain()
        }
        return packets
    }

    private func take(_ count: Int) throws(ObscuraError) -> Frame {
        let frame = try fifo.take(count, units: position)
        position += Int64(count)
        return frame
    }
}
