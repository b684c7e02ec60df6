// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg
internal import ObscuraCapture
internal import ObscuraMedia

/// Decodes what a camera sends: whole access units of H.264, each behind start codes (Annex B).
///
/// The pictures lie in the decoder's own memory, as those of movies do.
final class LiveDecoder: FrameDecoder {
    /// What one thread at a time works with.
    private struct State {
        let decoder: Decoder
        let importer: FrameImporter
        let packet: Packet
        /// The frames of the last packets, by the number that each packet was given.
        var ids = [UInt64](repeating: 0, count: Decoder.tagCount)
    }

    private let state: Lock<State>
    private let log: FFmpegLog
    private let subject: String

    /// The largest picture that is decoded, whatever the stream says.
    private static let maximumSize = PixelSize(width: 16384, height: 16384)

    init(_ format: VideoFormat) throws(MovieError) {
        let log = FFmpegLog()
        let subject = "\(format.pixelFormat.rawValue) of \(format.size)"
        let decoder = try Decoder(
            live: AV_CODEC_ID_H264, size: format.size, threads: min(4, WorkerPool.coreCount),
            maximumSize: Self.maximumSize, log: log, subject: subject)
        guard let packet = Packet() else { throw .outOfMemory(subject) }
        let importer = FrameImporter(subject: subject, maximumSize: Self.maximumSize, isJPEG: false)
        self.log = log
        self.subject = subject
        state = Lock(State(decoder: decoder, importer: importer, packet: packet))
    }

    func decode(_ frame: EncodedFrame, id: UInt64) throws(CaptureError) -> [DecodedFrame] {
        do throws(MovieError) {
            // An empty packet would tell the decoder that the end has come.
            guard !frame.data.isEmpty else { throw damage(OBSCURA_ERROR_INVALID_DATA) }
            return try state.withLock { state throws(MovieError) in
                log.clear()
                guard state.packet.fill(frame.data) else { throw .outOfMemory(subject) }
                defer { state.packet.unreference() }
                let code = state.decoder.send(state.packet)
                state.ids[state.decoder.lastTag] = id
                guard code >= 0 else { throw damage(code) }
                return try receive(&state, sent: id)
            }
        } catch {
            throw CaptureError(error)
        }
    }

    func drain() -> [DecodedFrame] {
        state.withLock { state in
            state.decoder.sendEnd()
            var frames: [DecodedFrame] = []
            // One that fails takes none of the others with it.
            while true {
                let count = frames.count
                if let more = try? receive(&state) { frames += more }
                if frames.count == count { break }
            }
            state.decoder.flush()
            return frames
        }
    }

    /// What the decoder has ready.
    ///
    /// - Parameter id: that of the frame that was sent just now.
    private func receive(_ state: inout State, sent id: UInt64? = nil) throws(MovieError) -> [DecodedFrame] {
        var frames: [DecodedFrame] = []
        while true {
            guard let frame = Frame() else { throw .outOfMemory(subject) }
            switch state.decoder.receive(frame) {
            case .needsPacket, .ended: return frames
            case .failed(let code):
                // Those that came first are whole.
                guard let id, !frames.isEmpty else { throw damage(code) }
                return frames + [DecodedFrame(id: id, picture: nil)]
            case .frame:
                let tag = frame.packetTag
                guard state.ids.indices.contains(tag) else { continue }
                let isBroken = state.decoder.isBroken(frame)
                let picture = isBroken ? nil : try? state.importer.buffer(frame)
                frames.append(DecodedFrame(id: state.ids[tag], picture: picture))
            }
        }
    }

    private func damage(_ code: Int32) -> MovieError {
        MovieError(
            .damaged, subject: subject, reason: "a picture cannot be decoded: \(MovieError.text(code))",
            libraryMessage: log.lastLine)
    }
}
