// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraFFmpeg
internal import ObscuraMedia

/// The video of an open container: complete decoded frames in presentation order, and the number of incomplete ones.
final class PictureTrack {
    let stream: InputStream
    /// The rotation and mirroring in the container; nil if not specified.
    let displayTransform: DisplayTransform?
    private let subject: String
    private let decoder: Decoder
    private var spareFrame: Frame?
    private var lostCount = 0
    /// Damaged packets before the first key frame do not count as lost, because they could never be decoded.
    private var hasSeenKey = false
    /// Whether packets before the next key frame are skipped, because those before them were not decoded.
    private var awaitsKey = false

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

    /// Returns the next complete frame.
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

    /// Returns the number of frames lost since the last call.
    ///
    /// - Parameter counts: false for frames before the requested start, which are not counted.
    func takeLostCount(counts: Bool) -> Int {
        defer { lostCount = 0 }
        return counts ? lostCount : 0
    }

    /// Resets the decoder state, for continuing at another position.
    func flush() {
        decoder.flush()
        hasSeenKey = false
    }

    /// Prepares for packets after some that were not decoded.
    func rejoin() {
        flush()
        awaitsKey = true
    }

    private func decode(_ packet: Packet, isPicture: Bool) throws(ObscuraError) {
        if awaitsKey, !packet.isKey { return }
        awaitsKey = false
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
