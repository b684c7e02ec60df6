// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The complete part of a file left by a crash, determined from its consecutive boxes (MP4, MOV) or elements
/// (Matroska): a pure value.
///
/// A recording grows by fragments (a moof and an mdat box each) or by clusters. A crash or a power loss leaves the
/// last one unfinished, which does not affect the complete ones; any other data after the last complete one is damage.
struct RecordingExtent: Sendable, Hashable {
    /// The end offset of the last complete fragment.
    private(set) var whole: Int64 = 0
    /// The offset up to which reading is useful: a fragment with truncated frames still yields those before the cut,
    /// but one with an incomplete index yields nothing and would be reported as damage.
    private(set) var readable: Int64 = 0
    /// Number of bytes of frames and audio in the complete fragments; nil for an unfragmented file.
    private(set) var payload: Int64?
    /// Whether only an unfinished fragment follows the complete ones.
    private(set) var isTailUnfinished = true
    /// The size of the file in bytes.
    let size: Int64

    /// Whether the file has no more than a header: nothing was recorded yet.
    var isEmpty: Bool { size == 0 || (whole > 0 && payload == 0 && readable == whole && isTailUnfinished) }

    private typealias Reader = (_ offset: Int64, _ count: Int) -> [UInt8]

    /// - Parameters:
    ///   - size: size of the file in bytes.
    ///   - bytes: returns `count` bytes of the file from `offset`, or fewer at its end.
    init(size: Int64, bytes read: (_ offset: Int64, _ count: Int) -> [UInt8]) {
        self.size = size
        // Data that the disk cannot return is not known to be unfinished.
        var isUnreadable = false
        func bytes(_ offset: Int64, _ count: Int) -> [UInt8] {
            let found = read(offset, count)
            if found.count < Int(clamping: min(Int64(count), size - offset)) { isUnreadable = true }
            return found
        }
        let head = bytes(0, 8)
        if head.count == 8, Self.name(head, at: 4) == "ftyp" {
            walkBoxes(bytes)
        } else if head.starts(with: Matroska.head) {
            walkClusters(bytes)
        } else {
            // The format is unknown, unless the file is too short even for a box type.
            readable = size
            payload = head.count < 8 ? 0 : nil
            isTailUnfinished = false
        }
        if readable < whole { readable = whole }
        if isUnreadable { isTailUnfinished = false }
    }

    // MARK: MP4 and MOV

    private static let boxes: Set<String> = [
        "ftyp", "moov", "moof", "mdat", "free", "skip", "wide", "styp", "sidx", "mfra", "uuid", "udta", "meta", "emsg",
        "prft",
    ]

    private mutating func walkBoxes(_ bytes: Reader) {
        var offset: Int64 = 0
        var samples: Int64 = 0
        // In an unfragmented file the samples may precede their index; a fragment begins with its index.
        var (isFragmented, isWhole, hasIndex, isSane) = (false, false, false, true)
        while offset < size {
            let head = bytes(offset, 16)
            guard head.count >= 8 else { break }
            let name = Self.name(head, at: 4)
            var length = Self.number(head, at: 0, count: 4)
            let isLong = length == 1
            if isLong {
                guard head.count == 16 else { break }
                length = Self.number(head, at: 8, count: 8)
            }
            if length == 0 { length = size - offset }
            guard Self.boxes.contains(name), length >= 8 else {
                isSane = false
                break
            }
            if name == "mdat", !isFragmented { isWhole = true }
            guard length <= size - offset else {
                if name == "mdat", hasIndex { readable = size }
                break
            }
            if name == "moof" { (isFragmented, hasIndex) = (true, true) }
            offset += length
            if name == "mdat" {
                samples += length - (isLong ? 16 : 8)
                hasIndex = false
            }
            // An index without its samples is incomplete.
            if !hasIndex { whole = offset }
        }
        guard !isWhole else {
            readable = size
            isTailUnfinished = offset == size
            return
        }
        payload = samples
        judgeTail(bytes, from: offset, isSane: isSane, mark: Array("moof".utf8), behind: Array("mfhd".utf8), at: 8)
    }

    // MARK: Matroska

    private enum Matroska {
        static let head: [UInt8] = [0x1a, 0x45, 0xdf, 0xa3]
        static let segment: UInt64 = 0x1853_8067
        static let cluster: UInt64 = 0x1f43_b675
        /// Other elements that a segment may contain.
        static let others: Set<UInt64> = [
            0x114d_9b74, 0x1549_a966, 0x1654_ae6b, 0x1254_c367, 0x1c53_bb6b, 0x1043_a770, 0x1941_a469, 0xec, 0xbf,
        ]
        static let group: UInt64 = 0xa0
        static let blocks: Set<UInt64> = [0xa1, 0xa3]
    }

    private mutating func walkClusters(_ bytes: Reader) {
        guard let head = Self.element(bytes(0, 12)), let length = head.length, head.size + length < size,
            let segment = Self.element(bytes(head.size + length, 12)), segment.id == Matroska.segment
        else {
            readable = size
            payload = 0
            return
        }
        var offset = head.size + length + segment.size
        var samples: Int64 = 0
        var isSane = true
        readable = size
        while offset < size {
            let head = bytes(offset, 12)
            guard let element = Self.element(head) else {
                isSane = head.count < 12
                break
            }
            guard element.id == Matroska.cluster || Matroska.others.contains(element.id) else {
                isSane = false
                break
            }
            // An element of unknown size was not finished, or extends to the end.
            guard let length = element.length, length <= size - offset - element.size else { break }
            let end = offset + element.size + length
            if element.id == Matroska.cluster {
                guard let found = Self.blockBytes(bytes, from: offset + element.size, to: end) else {
                    isSane = false
                    break
                }
                samples += found
            }
            offset = end
            whole = end
        }
        payload = samples
        judgeTail(bytes, from: offset, isSane: isSane, mark: [0x1f, 0x43, 0xb6, 0x75], behind: [], at: 0)
    }

    /// Number of payload bytes in the blocks of a cluster or a group; nil if the blocks do not fill it.
    private static func blockBytes(
        _ bytes: Reader, from begin: Int64, to end: Int64, isGroup: Bool = false
    ) -> Int64? {
        var (offset, sum) = (begin, Int64(0))
        while offset < end {
            guard let element = element(bytes(offset, 12)), let length = element.length else { return nil }
            let next = offset + element.size + length
            guard next <= end else { return nil }
            if element.id == Matroska.group {
                // Groups cannot be nested; a malicious file could nest them without limit.
                guard !isGroup,
                    let inner = blockBytes(bytes, from: offset + element.size, to: next, isGroup: true)
                else { return nil }
                sum += inner
            } else if Matroska.blocks.contains(element.id) {
                // The track number, a time of two bytes, and flags.
                sum += max(0, length - 4)
            }
            offset = next
        }
        return sum
    }

    /// The ID of an element, its length (nil if unknown), and the number of bytes of these two fields.
    private static func element(_ head: [UInt8]) -> (id: UInt64, length: Int64?, size: Int64)? {
        guard let first = head.first else { return nil }
        let idSize = first.leadingZeroBitCount + 1
        guard idSize <= 4, head.count > idSize else { return nil }
        let id = head[..<idSize].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let sizeSize = head[idSize].leadingZeroBitCount + 1
        guard sizeSize <= 8, head.count >= idSize + sizeSize else { return nil }
        let coded = head[idSize..<idSize + sizeSize].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let all = UInt64(1) << UInt64(7 * sizeSize) - 1
        let length = coded & all
        return (id, length == all ? nil : Int64(length), Int64(idSize + sizeSize))
    }

    // MARK: Data after the last fragment

    /// - Parameters:
    ///   - isSane: whether the data at `offset` looks like a truncated part of a recording.
    ///   - mark: the first bytes of a fragment; `behind`, at this distance after them, confirms it.
    private mutating func judgeTail(
        _ bytes: Reader, from offset: Int64, isSane: Bool, mark: [UInt8], behind: [UInt8], at distance: Int
    ) {
        // After a power loss some file systems return zeros for data that had not reached the disk.
        let blockSize = 64 << 10
        let overlap = distance + behind.count + mark.count
        var place = offset
        var isEmpty = true
        // The start of the truncated fragment does not count as another one.
        let own = max(whole, offset) + 8
        while place < size {
            let block = bytes(place, blockSize + overlap)
            if block.isEmpty { break }
            if isEmpty { isEmpty = block.allSatisfy { $0 == 0 } }
            for index in block.indices.dropLast(mark.count - 1) where block[index] == mark[0] {
                guard place + Int64(index) >= own, block[index...].starts(with: mark),
                    block.dropFirst(index + distance).starts(with: behind)
                else { continue }
                isTailUnfinished = false
                return
            }
            place += Int64(blockSize)
        }
        isTailUnfinished = isSane || isEmpty
    }

    private static func number(_ bytes: [UInt8], at offset: Int, count: Int) -> Int64 {
        Int64(clamping: bytes[offset..<offset + count].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }

    private static func name(_ bytes: [UInt8], at offset: Int) -> String {
        String(decoding: bytes[offset..<offset + 4], as: UTF8.self)
    }
}
