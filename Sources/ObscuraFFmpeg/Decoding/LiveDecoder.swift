// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg
internal import Glibc
internal import ObscuraBase
package import ObscuraCapture
package import ObscuraMedia

/// A decoder for the stream of a camera: complete access units of H.264 with start codes (Annex B).
///
/// The frames are in the decoder's own memory, like those of movies.
package final class LiveDecoder: FrameDecoder {
    /// The state, used by one thread at a time.
    private struct State {
        let decoder: Decoder
        let importer: FrameImporter
        let packet: Packet
        /// The frame ids of the last packets, by packet tag.
        var ids = [UInt64](repeating: 0, count: Decoder.tagCount)
    }

    private let state: Lock<State>
    private let log: FFmpegLog
    private let subject: String

    package init(_ format: VideoFormat) throws(ObscuraError) {
        let log = FFmpegLog()
        let subject = "\(format.pixelFormat.rawValue) of \(format.size)"
        let maximumSize = format.size.decodingLimit
        let decoder = try Decoder(
            live: AV_CODEC_ID_H264, size: format.size, threads: min(4, WorkerPool.coreCount),
            maximumSize: maximumSize, log: log, subject: subject)
        guard let packet = Packet() else { throw .outOfMemory(.movies, subject) }
        let importer = FrameImporter(subject: subject, maximumSize: maximumSize, isJPEG: false)
        self.log = log
        self.subject = subject
        state = Lock(State(decoder: decoder, importer: importer, packet: packet))
    }

    package func decode(_ frame: EncodedFrame, id: UInt64) throws(ObscuraError) -> [DecodedFrame] {
        // An empty packet would signal the end of the stream to the decoder.
        guard !frame.data.isEmpty else { throw damage(OBSCURA_ERROR_INVALID_DATA) }
        return try state.withLock { state throws(ObscuraError) in
            log.clear()
            guard state.packet.fill(frame.data) else { throw .outOfMemory(.movies, subject) }
            defer { state.packet.unreference() }
            let code = state.decoder.send(state.packet)
            state.ids[state.decoder.lastTag] = id
            guard code >= 0 else { throw damage(code) }
            var frames: [DecodedFrame] = []
            if let code = receive(&state, into: &frames) {
                // Frames that were returned as well are complete.
                guard !frames.isEmpty else { throw damage(code) }
                if !frames.contains(where: { $0.id == id }) { frames.append(DecodedFrame(id: id, picture: nil)) }
            }
            return frames
        }
    }

    package func drain() -> [DecodedFrame] {
        state.withLock { state in
            state.decoder.sendEnd()
            var frames: [DecodedFrame] = []
            // A failed frame does not affect the others: draining continues with the remaining ones.
            _ = receive(&state, into: &frames)
            state.decoder.flush()
            return frames
        }
    }

    /// Receives all frames that the decoder has ready.
    ///
    /// - Returns: FFmpeg's code of the first failure; nil if none failed.
    private func receive(_ state: inout State, into frames: inout [DecodedFrame]) -> Int32? {
        Self.collect(into: &frames) {
            guard let frame = Frame() else { return (.failed(-ENOMEM), nil) }
            let answer = state.decoder.receive(frame)
            guard case .frame = answer, state.ids.indices.contains(frame.packetTag) else { return (answer, nil) }
            let picture = state.decoder.isBroken(frame) ? nil : try? state.importer.buffer(frame)
            return (answer, DecodedFrame(id: state.ids[frame.packetTag], picture: picture))
        }
    }

    /// Receives from a decoder until it has no more frames, also after failures, and collects the frames.
    ///
    /// - Parameter ask: returns the decoder's next result, and the frame if it is usable.
    /// - Returns: the code of the first failure; nil if there was none.
    package static func collect<Picture>(
        into pictures: inout [Picture], ask: () -> (answer: Decoder.Received, picture: Picture?)
    ) -> Int32? {
        var failures: [Int32] = []
        // The decoder never holds more packets than there are tags: after more failures than that, stop.
        while failures.count < Decoder.tagCount {
            let (answer, picture) = ask()
            switch answer {
            case .needsPacket, .ended: return failures.first
            case .failed(let code): failures.append(code)
            case .frame: if let picture { pictures.append(picture) }
            }
        }
        return failures.first
    }

    private func damage(_ code: Int32) -> ObscuraError {
        ObscuraError(
            .movies, .damaged, subject: subject, reason: "a frame cannot be decoded: \(FFmpegCode.text(code))",
            libraryMessage: log.message)
    }
}
