// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg
package import ObscuraMedia

/// A compressed piece of pictures or sound, and when it is to be shown. Not referred to by others.
package struct CodedPacket {
    package let packet: Packet
    /// Units a second of the packet's times.
    package let timescale: Int32

    package init(packet: Packet, timescale: Int32) {
        self.packet = packet
        self.timescale = timescale
    }

    /// A copy of bytes that were compressed elsewhere; nil when there is no memory.
    package init?(bytes: [UInt8], units: Int64, duration: Int64, timescale: Int32, isKey: Bool) {
        guard let packet = Packet(), packet.fill(bytes) else { return nil }
        self.init(packet: packet, timescale: timescale)
        self.units = units
        self.duration = duration
        if isKey { packet.pointer.pointee.flags |= AV_PKT_FLAG_KEY }
    }

    /// When it is to be shown, in the movie. (No encoder of ours reorders: it is also when it must be decoded.)
    package var time: MediaTime { MediaTime(value: units, timescale: timescale) }

    package var units: Int64 {
        get { packet.pointer.pointee.pts }
        nonmutating set {
            packet.pointer.pointee.pts = newValue
            packet.pointer.pointee.dts = newValue
        }
    }

    /// Nil where the time is unknown.
    package var knownUnits: Int64? { units == OBSCURA_NO_TIMESTAMP ? nil : units }

    /// In units of the timescale.
    package var duration: Int64 {
        get { packet.pointer.pointee.duration }
        nonmutating set { packet.pointer.pointee.duration = newValue }
    }

    package var isKey: Bool { packet.isKey }
    package var byteCount: Int { Int(packet.pointer.pointee.size) }

    /// A copy of its bytes.
    package var bytes: [UInt8] {
        Array(UnsafeBufferPointer(start: packet.pointer.pointee.data, count: byteCount))
    }
}
