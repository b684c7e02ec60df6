// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraFFmpeg
internal import ObscuraMedia

/// The pictures of an open container: whole decoded frames in the order in which they are shown, and the count of
/// those that were not whole.
final class PictureTrack {
    let stream: InputStream
    /// The container's turn and mirroring; nil where it names none.
    let displayTransform: DisplayTransform?
    private let subject: String
    private let decoder: Decoder
    private var spareFrame: Frame?
    private var lostCount = 0
    /// Broken packets before the first place where decoding can begin are no loss: nobody could have
    /// decoded them.
    private var hasSeenKey = false

    init(
        _ stream: InputStream, options: MovieReadingOptions, log: FFmpegLog, subject: String
    ) throws(ObscuraError) {
        self.stream = stream
        self.subject = subject
        displayTransform = stream.displayTransform
        decoder = try Decoder(
            stream, threads: options.decoderThreads, maximumSize: options.maximumSize, log: log, subject: subject)
    }

    var codecName: String { decoder.codecName }

    /// The next whole frame.
    func next(from source: any TrackPackets) throws(ObscuraError) -> TrackStep<Frame> {
        guard let frame = spareFrame ?? Frame() else { throw .outOfMemory(.movies, subject) }
        spareFrame = nil
        while true {
            switch decoder.receive(frame) {
            case .frame where decoder.isBroken(frame):
                lose()
                frame.unreference()
            case .frame: return .element(frame)
            case .needsPacket:
                switch try source.next(.pictures) {
                case .element(let packet): try decode(packet, isPicture: source.hasPicturePackets)
                case .ended: decoder.sendEnd()
                case .waits:
                    spareFrame = frame
                    return .waits
                }
            case .failed(let code): try lose(code)
            case .ended:
                spareFrame = frame
                return .ended
            }
        }
    }

    /// How many frames were lost since the last call.
    ///
    /// - Parameter counts: false where they do not matter, before the start that was asked for.
    func takeLostCount(counts: Bool) -> Int {
        defer { lostCount = 0 }
        return counts ? lostCount : 0
    }

    /// Forgets everything, to go on at another place.
    func flush() {
        decoder.flush()
        hasSeenKey = false
    }

    private func decode(_ packet: Packet, isPicture: Bool) throws(ObscuraError) {
        if packet.isCorrupt, isPicture { return lose() }
        if packet.isKey { hasSeenKey = true }
        let code = decoder.send(packet)
        if code < 0, code != FFmpegCode.again { try lose(code) }
    }

    private func lose(_ code: Int32) throws(ObscuraError) {
        if code == -ENOMEM { throw .outOfMemory(.movies, subject) }
        lose()
    }

    private func lose() {
        if hasSeenKey { lostCount += 1 }
    }
}
