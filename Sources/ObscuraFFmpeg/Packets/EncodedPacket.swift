// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg
package import ObscuraMedia

/// A compressed frame or audio packet, passed from an encoder to muxers: its bytes, which all copies share, and its
/// times. H.264 and HEVC are byte streams with start codes (Annex B).
///
/// `Sendable` is safe because only copies of this value refer to the packet, and nothing changes it after `init`.
/// Muxers write their own packets, which refer to the same bytes.
package struct EncodedPacket: @unchecked Sendable {
    let packet: Packet
    package let isVideo: Bool
    /// Whether playback can start at this packet; always true for audio.
    package let isKey: Bool
    /// Units per second of ``units`` and ``duration``.
    package let timescale: Int32
    /// The presentation time, from the start of the movie or broadcast.
    package var units: Int64
    /// The time by which it is decoded earlier. Our encoders do not reorder; sources of copied packets may.
    package private(set) var lead: Int64 = 0
    /// Whether a key frame contains its parameter sets.
    private var hasParameterSets = false
    package var duration: Int64
    /// The time of capture if known, else the time of encoding.
    package var hostTime: HostTime
    /// The time at which it was encoded or, if it is copied, made.
    package let encodedTime = HostTime.now

    /// Moves the bytes and times out of `packet`, which is empty afterwards. Returns nil if there is no memory.
    init?(taking packet: Packet, isVideo: Bool, timescale: Int32, hostTime: HostTime) {
        guard let taken = packet.taken() else { return nil }
        self.packet = taken
        self.isVideo = isVideo
        isKey = !isVideo || taken.isKey
        self.timescale = timescale
        units = taken.pointer.pointee.pts
        duration = taken.duration
        self.hostTime = hostTime
    }

    /// Creates a packet with a copy of the bytes. Returns nil if there is no memory.
    ///
    /// - Parameters:
    ///   - lead: the time by which it is decoded earlier than it is shown.
    ///   - hasParameterSets: whether it contains the parameter sets, so that they need not be inserted.
    package init?(
        isVideo: Bool, bytes: [UInt8], units: Int64, lead: Int64 = 0, timescale: Int32, duration: Int64, isKey: Bool,
        hasParameterSets: Bool = false, hostTime: HostTime
    ) {
        guard let packet = Packet(), packet.fill(bytes) else { return nil }
        self.packet = packet
        self.isVideo = isVideo
        self.isKey = isKey
        self.timescale = timescale
        self.units = units
        self.lead = lead
        self.duration = duration
        self.hasParameterSets = hasParameterSets
        self.hostTime = hostTime
    }

    /// The decode time.
    package var decodeUnits: Int64 { units - lead }
    package var time: MediaTime { MediaTime(value: units, timescale: timescale) }
    /// The duration as a time.
    package var length: MediaTime { MediaTime(value: duration, timescale: timescale) }
    package var byteCount: Int { packet.byteCount }

    /// A copy of the bytes.
    package var bytes: [UInt8] { withBytes { Array($0) } }

    /// Calls `body` with the bytes, preceded by `sets` if this is a key frame, for clients that join at it.
    package func withBytes<R>(repeating sets: [UInt8] = [], _ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
        let sets = repeated(sets)
        let own = UnsafeBufferPointer(start: packet.pointer.pointee.data, count: byteCount)
        return sets.isEmpty ? body(own) : (sets + own).withUnsafeBufferPointer(body)
    }

    /// Returns the packet with its own copy of the bytes; nil if there is no memory.
    func copied() -> EncodedPacket? {
        EncodedPacket(
            isVideo: isVideo, bytes: bytes, units: units, lead: lead, timescale: timescale, duration: duration,
            isKey: isKey, hasParameterSets: hasParameterSets, hostTime: hostTime)
    }

    /// Returns the packet with its time relative to `begin`; nil if it is earlier.
    package func counted(from begin: MediaTime) -> EncodedPacket? {
        guard time >= begin else { return nil }
        var counted = self
        counted.units -= begin.converted(toTimescale: timescale).value
        return counted
    }

    /// Returns the packet with another time, from which it is shown again.
    package func shown(from units: Int64, lead: Int64, for duration: Int64) -> EncodedPacket {
        var packet = self
        (packet.units, packet.lead, packet.duration) = (units, lead, duration)
        return packet
    }

    /// Returns the parameter sets to insert before the packet.
    fileprivate func repeated(_ sets: [UInt8]) -> [UInt8] { isVideo && isKey && !hasParameterSets ? sets : [] }
}

extension Packet {
    /// References the bytes of an encoded packet, with its times; inserting parameter sets before a key frame copies
    /// them. Returns false if there is no memory.
    func refer(to encoded: EncodedPacket, repeating sets: [UInt8] = []) -> Bool {
        if encoded.repeated(sets).isEmpty {
            unreference()
            guard libav.av_packet_ref(pointer, encoded.packet.pointer) == 0 else { return false }
        } else {
            guard encoded.withBytes(repeating: sets, fill) else { return false }
        }
        pointer.pointee.pts = encoded.units
        pointer.pointee.dts = encoded.decodeUnits
        pointer.pointee.duration = encoded.duration
        if encoded.isKey { pointer.pointee.flags |= AV_PKT_FLAG_KEY }
        return true
    }
}
