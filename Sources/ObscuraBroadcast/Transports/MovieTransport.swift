// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraFFmpeg
internal import ObscuraMedia
internal import ObscuraMovies

/// A movie of the very same packets that go to the network.
final class MovieTransport: BroadcastTransport {
    private let file: MovieFile
    private let streams: BroadcastStreams
    private let name: String
    /// The last picture: how long it is shown, the next one tells.
    private var held: BroadcastPacket?
    private var base: MediaTime?

    init(
        _ path: String, container: MovieContainer, overwrites: Bool, _ streams: BroadcastStreams
    ) throws(ObscuraError) {
        name = path
        self.streams = streams
        do throws(ObscuraError) {
            file = try MovieFile(
                MovieFile.Request(path: path, container: container, overwrites: overwrites))
            try file.begin(streams.streams)
        } catch {
            throw error.about(path)
        }
    }

    func send(_ packet: BroadcastPacket) throws(ObscuraError) {
        let begin = base ?? packet.time
        base = begin
        guard packet.time >= begin else { return }
        guard packet.isVideo else { return try write(packet, lasting: packet.duration) }
        if let held { try write(held, lasting: packet.units - held.units) }
        held = packet
    }

    func finish() throws(ObscuraError) {
        if let held { try write(held, lasting: held.duration) }
        held = nil
        do throws(ObscuraError) {
            _ = try file.finish()
        } catch {
            throw error.about(name)
        }
    }

    var path: NetworkPath? { nil }

    private func write(_ packet: BroadcastPacket, lasting duration: Int64) throws(ObscuraError) {
        guard let base, let index = streams.index(isVideo: packet.isVideo) else { return }
        let units = packet.units - base.converted(toTimescale: packet.timescale).value
        guard
            let coded = CodedPacket(
                bytes: packet.bytes, units: units, duration: duration, timescale: packet.timescale,
                isKey: packet.isKey)
        else { throw .outOfMemory(.broadcast, name) }
        do throws(ObscuraError) {
            try file.write(coded, stream: index)
        } catch {
            throw error.about(name)
        }
    }
}
