// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg
internal import ObscuraMedia

/// A compressed piece of pictures or sound, and when it is to be shown. Not referred to by others.
struct CodedPacket {
    let packet: Packet
    /// Units a second of the packet's times.
    let timescale: Int32

    /// When it is to be shown, in the movie. (No encoder of ours reorders: it is also when it must be decoded.)
    var time: MediaTime { MediaTime(value: units, timescale: timescale) }

    var units: Int64 {
        get { packet.pointer.pointee.pts }
        nonmutating set {
            packet.pointer.pointee.pts = newValue
            packet.pointer.pointee.dts = newValue
        }
    }

    /// In units of the timescale.
    var duration: Int64 {
        get { packet.pointer.pointee.duration }
        nonmutating set { packet.pointer.pointee.duration = newValue }
    }

    var isKey: Bool { packet.isKey }
    var byteCount: Int { Int(packet.pointer.pointee.size) }

    /// A copy of its bytes.
    var bytes: [UInt8] {
        Array(UnsafeBufferPointer(start: packet.pointer.pointee.data, count: byteCount))
    }
}

extension CodedPacket {
    /// A packet of a broadcast as a muxer takes it, at another place.
    init(_ packet: BroadcastPacket, at units: Int64, lasting duration: Int64) throws(ObscuraError) {
        guard let made = Packet(), made.fill(packet.bytes) else { throw .outOfMemory(.broadcast, "broadcast") }
        self.init(packet: made, timescale: packet.timescale)
        self.units = units
        self.duration = duration
        if packet.isKey { made.pointer.pointee.flags |= AV_PKT_FLAG_KEY }
    }
}
