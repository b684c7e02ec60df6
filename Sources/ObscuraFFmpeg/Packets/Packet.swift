// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg

/// One compressed piece of a stream; the same object is filled again and again.
package final class Packet {
    let pointer: UnsafeMutablePointer<AVPacket>

    /// Nil when there is no memory.
    package init?() {
        guard let packet = av_packet_alloc() else { return nil }
        pointer = packet
    }

    deinit {
        var packet: UnsafeMutablePointer<AVPacket>? = pointer
        av_packet_free(&packet)
    }

    package var streamIndex: Int { Int(pointer.pointee.stream_index) }
    package var isKey: Bool { pointer.pointee.flags & AV_PKT_FLAG_KEY != 0 }
    /// Whether the demuxer knows that bytes are missing or wrong.
    package var isCorrupt: Bool { pointer.pointee.flags & AV_PKT_FLAG_CORRUPT != 0 }
    /// Whether it has no bytes.
    package var isEmpty: Bool { byteCount == 0 }
    package var byteCount: Int { Int(pointer.pointee.size) }
    /// In the stream's time base; nil where unknown.
    package var decodeTimestamp: Int64? { Self.known(pointer.pointee.dts) }
    /// In the stream's time base; nil where unknown.
    package var presentationTimestamp: Int64? { Self.known(pointer.pointee.pts) }

    private static func known(_ time: Int64) -> Int64? { time == OBSCURA_NO_TIMESTAMP ? nil : time }

    /// In the stream's time base.
    package var duration: Int64 {
        get { pointer.pointee.duration }
        set { pointer.pointee.duration = newValue }
    }

    /// Where it stands in the file, in bytes; -1 where unknown.
    package var position: Int64 {
        get { pointer.pointee.pos }
        set { pointer.pointee.pos = newValue }
    }

    /// Takes a copy of the bytes, behind which decoders want room. Returns false when there is no memory.
    package func fill(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBufferPointer(fill) }

    func fill(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        unreference()
        guard av_new_packet(pointer, Int32(clamping: bytes.count)) == 0 else { return false }
        let room = UnsafeMutableRawBufferPointer(start: pointer.pointee.data, count: Int(pointer.pointee.size))
        room.copyBytes(from: bytes.prefix(room.count))
        return true
    }

    /// The bytes in an object of their own, to be kept; this one is empty then. Nil when there is no memory.
    package func taken() -> Packet? {
        guard let other = Packet() else { return nil }
        av_packet_move_ref(other.pointer, pointer)
        return other
    }

    /// Lets the bytes go, for the next use.
    package func unreference() {
        av_packet_unref(pointer)
    }
}
