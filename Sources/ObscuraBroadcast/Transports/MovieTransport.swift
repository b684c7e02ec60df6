// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraFFmpeg
internal import ObscuraMedia
internal import ObscuraMovies

/// A movie with the same packets that are sent to the network.
final class MovieTransport: BroadcastTransport {
    private let file: MovieFile
    private let name: String
    /// The last frame, held until the next one determines its duration.
    private var held: EncodedPacket?
    private var base: MediaTime?

    init(
        _ path: String, container: MovieContainer, overwrites: Bool, _ streams: EncodedStreams
    ) throws(ObscuraError) {
        name = path
        do throws(ObscuraError) {
            var metadata = Metadata()
            metadata.software = ObscuraBuild.program
            file = try MovieFile(
                MovieFile.Request(
                    path: path, container: container, overwrites: overwrites, metadata: metadata, isDated: true))
            try file.begin(streams, at: nil)
        } catch {
            throw error.about(path)
        }
    }

    func send(_ packet: EncodedPacket) throws(ObscuraError) {
        let begin = base ?? packet.time
        base = begin
        guard let packet = packet.counted(from: begin) else { return }
        guard packet.isVideo else { return try write(packet) }
        if var last = held {
            // Muxers count a duration from one decode time to the next.
            last.duration = packet.decodeUnits - last.decodeUnits
            try write(last)
        }
        held = packet
    }

    func finish() throws(ObscuraError) {
        if let held { try write(held) }
        held = nil
        do throws(ObscuraError) {
            _ = try file.finish()
        } catch {
            throw error.about(name)
        }
    }

    var path: NetworkPath? { nil }

    private func write(_ packet: EncodedPacket) throws(ObscuraError) {
        do throws(ObscuraError) {
            try file.write(packet, track: packet.isVideo ? 0 : 1)
        } catch {
            throw error.about(name)
        }
    }
}
