// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// The size limit of a movie file, and the expected size with its current packets: a pure value.
///
/// Includes data that has not been written yet: packets of the current fragment, and the final index. Estimates are
/// never too low, so a file never exceeds its limit.
struct SizeBudget: Sendable, Hashable {
    /// The properties of a packet that affect the size.
    struct Piece: Sendable, Hashable {
        var byteCount: Int64
        var stream: Int
        var duration: Int64
        var isKeyPicture: Bool
        /// Whether its decode time differs from its presentation time.
        var isReordered = false
        /// Presentation time.
        var time: MediaTime
    }

    /// The additional size of a rewritten header: edit lists, and the header of the sample data box.
    private static let headRoom: Int64 = 1024
    /// The part of a rewritten header that is not in the index: the file type, and the header of the sample data box.
    private static let outsideIndex: Int64 = 64
    /// The boxes of a fragment, and their size per packet.
    private static let fragment: Int64 = 256
    private static let fragmentPiece: Int64 = 16

    private let limit: Int64?
    private let isMatroska: Bool
    private let hasManyStreams: Bool
    /// Size of the rewritten file.
    private var whole: Int64
    /// Size of the packets.
    private var data: Int64 = 0
    /// Size of the growing file.
    private var written: Int64
    /// Size of the packets that are not yet in the file.
    private var pending: Int64 = 0
    private var durations: [Int: Int64] = [:]
    private var cluster: MediaTime?
    private(set) var largest: Int64 = 0
    /// Whether a packet was rejected because it exceeds the limit; all later ones are rejected as well.
    private(set) var isFull = false
    /// The size that the file would have had with the first rejected packet.
    private(set) var needed: Int64 = 0

    /// - Parameters:
    ///   - limit: maximum size in bytes; nil for none.
    ///   - head: size of the file with only its header, in bytes.
    init(limit: Int64?, head: Int64, streamCount: Int, isMatroska: Bool) {
        self.limit = limit
        self.isMatroska = isMatroska
        hasManyStreams = streamCount > 1
        whole = head + Self.headRoom
        written = head
    }

    /// Maximum size of the file with its current packets.
    var expected: Int64 { isMatroska ? whole : max(whole, growing) }

    /// Maximum size of the index of the rewritten file; nil if it is more than a hundredth of the data, so that its place,
    /// which is often larger than the index, would make the file noticeably larger.
    var indexLimit: Int64? {
        let size = whole - data - Self.outsideIndex
        return size <= min(data / 100, Int64(Int32.max)) ? size : nil
    }

    private var growing: Int64 { written + (pending > 0 ? pending + Self.fragment : 0) }

    /// Counts a packet; returns false if it exceeds the limit.
    mutating func take(_ piece: Piece) -> Bool {
        guard !isFull else { return false }
        var next = self
        next.count(piece)
        if let limit, next.expected > limit {
            isFull = true
            needed = next.expected
            return false
        }
        self = next
        return true
    }

    /// Updates the size of the file, which contains all packets before the last one.
    mutating func note(written size: Int64, last: Int64) {
        guard size != written else { return }
        written = size
        pending = last + Self.fragmentPiece
    }

    private mutating func count(_ piece: Piece) {
        largest = max(largest, piece.byteCount)
        pending += piece.byteCount + Self.fragmentPiece
        whole += piece.byteCount
        data += piece.byteCount
        if isMatroska {
            // A block header; a cluster and an index entry for each key frame and each fragment.
            whole += 24
            let isDue = cluster.map { piece.time - $0 >= MediaTime(value: 1, timescale: 5) } ?? true
            if isDue || piece.isKeyPicture { whole += 128 }
            if isDue { cluster = piece.time }
            return
        }
        // Its size; its duration if that changes; a chunk if the stream changes, or for each megabyte; its entry in the
        // table of key frames.
        whole += 4 + (durations[piece.stream] == piece.duration ? 0 : 8) + (piece.isReordered ? 8 : 0)
        whole += (hasManyStreams || piece.byteCount > 65_536 ? 20 : 2) + (piece.isKeyPicture ? 4 : 0)
        durations[piece.stream] = piece.duration
    }
}
