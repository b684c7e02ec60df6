// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg

/// A compressed packet of a stream; the object is reused for many packets.
package final class Packet {
    let pointer: UnsafeMutablePointer<AVPacket>

    /// Returns nil if there is no memory.
    package init?() {
        guard let packet = libav.av_packet_alloc() else { return nil }
        pointer = packet
    }

    deinit {
        var packet: UnsafeMutablePointer<AVPacket>? = pointer
        libav.av_packet_free(&packet)
    }

    package var streamIndex: Int { Int(pointer.pointee.stream_index) }
    package var isKey: Bool { pointer.pointee.flags & AV_PKT_FLAG_KEY != 0 }
    /// Whether the demuxer detected missing or wrong bytes.
    package var isCorrupt: Bool { pointer.pointee.flags & AV_PKT_FLAG_CORRUPT != 0 }
    /// Whether the packet has no bytes.
    package var isEmpty: Bool { byteCount == 0 }
    package var byteCount: Int { Int(pointer.pointee.size) }
    /// The presentation time, in the stream's time base; nil if unknown.
    package var presentationTimestamp: Int64? {
        get {
            let time = pointer.pointee.pts
            return time == OBSCURA_NO_TIMESTAMP ? nil : time
        }
        set { pointer.pointee.pts = newValue ?? OBSCURA_NO_TIMESTAMP }
    }

    /// The decoding time, in the stream's time base; nil if unknown.
    package var decodeTimestamp: Int64? {
        get {
            let time = pointer.pointee.dts
            return time == OBSCURA_NO_TIMESTAMP ? nil : time
        }
        set { pointer.pointee.dts = newValue ?? OBSCURA_NO_TIMESTAMP }
    }

    /// The duration, in the stream's time base.
    package var duration: Int64 {
        get { pointer.pointee.duration }
        set { pointer.pointee.duration = newValue }
    }

    /// The position in the file, in bytes; -1 if unknown.
    package var position: Int64 {
        get { pointer.pointee.pos }
        set { pointer.pointee.pos = newValue }
    }

    /// A copy of the bytes.
    package var bytes: [UInt8] { Array(UnsafeBufferPointer(start: pointer.pointee.data, count: byteCount)) }

    /// Copies the bytes into the packet, with the padding that decoders require. Returns false if there is no memory.
    package func fill(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBufferPointer(fill) }

    func fill(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        unreference()
        guard libav.av_new_packet(pointer, Int32(clamping: bytes.count)) == 0 else { return false }
        let room = UnsafeMutableRawBufferPointer(start: pointer.pointee.data, count: Int(pointer.pointee.size))
        room.copyBytes(from: bytes.prefix(room.count))
        return true
    }

    /// Moves the bytes to a new packet, which can be kept; this packet is empty afterwards. Returns nil if there is no
    /// memory.
    package func taken() -> Packet? {
        guard let other = Packet() else { return nil }
        libav.av_packet_move_ref(other.pointer, pointer)
        return other
    }

    /// Returns another packet with the same bytes and times; nil if there is no memory.
    package func shared() -> Packet? {
        guard let other = Packet(), libav.av_packet_ref(other.pointer, pointer) >= 0 else { return nil }
        return other
    }

    /// Releases the bytes, so that the packet can be reused.
    package func unreference() {
        libav.av_packet_unref(pointer)
    }
}
