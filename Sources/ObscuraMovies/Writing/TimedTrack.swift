// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraFFmpeg
internal import ObscuraMedia

/// Subtitles, chapters or locations of a movie as packets. One thread at a time.
final class TimedTrack {
    private let kind: TimedForm
    private let subject: String
    private var endUnits: Int64 = 0
    /// The last location, until the next one is known.
    private var held: EncodedPacket?

    /// Units per second of the times.
    private static let timescale: Int32 = 1000
    /// The limit of times, so that sums do not overflow.
    private static let farthest = Int64.max / 8

    init(_ kind: TimedForm, subject: String) {
        self.kind = kind
        self.subject = subject
    }

    /// The end of the last subtitle in the movie.
    var end: MediaTime { MediaTime(value: endUnits, timescale: Self.timescale) }

    func makeStream() throws(ObscuraError) -> OutputStream {
        guard let parameters = CodecParameters(kind) else { throw .outOfMemory(.recording, subject) }
        return OutputStream(parameters: parameters, timescale: Self.timescale)
    }

    /// Returns the packet of a text whose begin is at `place` in the movie. A part before `floor` is cut off; nil if
    /// nothing remains.
    func packet(_ text: TimedText, at place: MediaTime, floor: MediaTime) throws(ObscuraError) -> EncodedPacket? {
        let duration = text.duration ?? .zero
        // A chapter has no end, so that one from before the segment is none of it.
        guard place >= floor || place + duration > floor else { return nil }
        return try packet(Array(text.text.utf8), from: max(place, floor), to: place + duration)
    }

    /// Appends a location, and returns the one before it, which is valid up to this one: a fragment has no gaps.
    func append(
        _ location: TimedLocation, at place: MediaTime, floor: MediaTime
    ) throws(ObscuraError) -> [EncodedPacket] {
        guard place >= floor else { return [] }
        let packet = try packet(LocationPayload.bytes(of: location), from: place, to: place)
        defer { held = packet }
        return release(at: place)
    }

    /// Returns the last location, which is valid up to `place`.
    func release(at place: MediaTime) -> [EncodedPacket] {
        defer { held = nil }
        guard var packet = held else { return [] }
        packet.duration = max(1, Self.units(place) - packet.units)
        return [packet]
    }

    private func packet(
        _ content: [UInt8], from begin: MediaTime, to end: MediaTime
    ) throws(ObscuraError) -> EncodedPacket {
        let units = Self.units(begin)
        // A subtitle of less than a millisecond is shown for one.
        let duration = max(kind == .chapters ? 0 : 1, Self.units(end) - units)
        guard
            let packet = EncodedPacket(
                isVideo: false, bytes: kind.payload(content), units: units, timescale: Self.timescale,
                duration: duration, isKey: true, hostTime: .now)
        else { throw .outOfMemory(.recording, subject) }
        if kind != .location { endUnits = max(endUnits, units + duration) }
        return packet
    }

    private static func units(_ time: MediaTime) -> Int64 {
        min(max(-farthest, time.converted(toTimescale: timescale).value), farthest)
    }
}
