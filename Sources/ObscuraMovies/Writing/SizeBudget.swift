// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// How large a movie file may become, and how large it will be with what is in it: a pure value.
///
/// It counts more than has been written: what waits for the present fragment to be whole, and the index that the file
/// gets in the end. No estimate is lower than the truth, so a file is never larger than its limit.
struct SizeBudget: Sendable, Hashable {
    /// A packet, as far as it matters here.
    struct Piece: Sendable, Hashable {
        var byteCount: Int64
        var stream: Int
        var duration: Int64
        var isKeyPicture: Bool
        /// When it is shown.
        var time: MediaTime
    }

    /// What a rewritten head has more than that of the growing file: edit lists, and the box of the samples.
    private static let headRoom: Int64 = 1024
    /// The boxes of a fragment, and what is in them for each packet.
    private static let fragment: Int64 = 256
    private static let fragmentPiece: Int64 = 16

    private let limit: Int64?
    private let isMatroska: Bool
    private let hasManyStreams: Bool
    /// What the file will have when it is rewritten.
    private var whole: Int64
    /// What the growing file has.
    private var written: Int64
    /// What is not yet in it.
    private var pending: Int64 = 0
    private var durations: [Int: Int64] = [:]
    private var cluster: MediaTime?
    private(set) var largest: Int64 = 0
    /// What there was no room for was left out: nothing more goes in.
    private(set) var isFull = false
    /// The size that the file would have had with the first packet that had no room.
    private(set) var needed: Int64 = 0

    /// - Parameters:
    ///   - limit: in bytes; nil for none.
    ///   - head: the size of the file when only its head is written.
    init(limit: Int64?, head: Int64, streamCount: Int, isMatroska: Bool) {
        self.limit = limit
        self.isMatroska = isMatroska
        hasManyStreams = streamCount > 1
        whole = head + Self.headRoom
        written = head
    }

    /// How large the file will be at most, with what is in it.
    var expected: Int64 { isMatroska ? whole : max(whole, growing) }

    private var growing: Int64 { written + (pending > 0 ? pending + Self.fragment : 0) }

    /// Counts a packet; false if there is no room for it.
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

    /// The file has grown to this size, with all before the last packet.
    mutating func note(written size: Int64, last: Int64) {
        guard size != written else { return }
        written = size
        pending = last + Self.fragmentPiece
    }

    private mutating func count(_ piece: Piece) {
        largest = max(largest, piece.byteCount)
        pending += piece.byteCount + Self.fragmentPiece
        whole += piece.byteCount
        if isMatroska {
            // The head of a block; a cluster and a line of the index for a key picture and for each fragment.
            whole += 24
            let isDue = cluster.map { piece.time - $0 >= MediaTime(value: 1, timescale: 5) } ?? true
            if isDue || piece.isKeyPicture { whole += 128 }
            if isDue { cluster = piece.time }
            return
        }
        // Its size; its duration where that changes; a chunk where the stream does, or for each megabyte; its place
        // among the key pictures.
        whole += 4 + (durations[piece.stream] == piece.duration ? 0 : 8)
        whole += (hasManyStreams || piece.byteCount > 65_536 ? 20 : 2) + (piece.isKeyPicture ? 4 : 0)
        durations[piece.stream] = piece.duration
    }
}
