// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// What one tile of a page has been sent: a pure value. At most two pictures are under way, and only one while the page
/// has much to take; of those that come meanwhile the newest waits.
struct PageTile: Sendable {
    let request: TileRequest
    private var underWay: [EncodedPicture] = []
    private var waiting: EncodedPicture?
    private(set) var sent: UInt64 = 0
    private(set) var drawn: UInt64 = 0
    /// Pictures that waited until a newer one came.
    private(set) var replaced: UInt64 = 0

    static let mostUnderWay = 2
    /// What a page may have under way, in bytes, before each of its tiles gets one picture at a time.
    static let muchUnderWay = 2 << 20

    init(_ request: TileRequest) {
        self.request = request
    }

    /// Bytes of it that the page has not yet drawn.
    var bytesUnderWay: Int { underWay.reduce(0) { $0 + $1.bytes.readableBytes } }

    /// - Parameter pageBytes: what the page has under way, of all its tiles.
    /// - Returns: the picture, if it is to be sent now.
    mutating func enqueue(_ picture: EncodedPicture, pageBytes: Int = 0) -> EncodedPicture? {
        guard underWay.count < (pageBytes < Self.muchUnderWay ? Self.mostUnderWay : 1) else {
            if waiting != nil { replaced += 1 }
            waiting = picture
            return nil
        }
        return send(picture)
    }

    /// The page has drawn a picture, and so is done with all before it.
    ///
    /// - Returns: the picture that was drawn, nil for one that is not under way; and what is to be sent now.
    mutating func acknowledge(_ sequence: UInt32) -> (drawn: EncodedPicture?, next: EncodedPicture?) {
        guard let index = underWay.firstIndex(where: { $0.sequence == sequence }) else { return (nil, nil) }
        let picture = underWay[index]
        underWay.removeFirst(index + 1)
        drawn += 1
        guard let next = waiting else { return (picture, nil) }
        waiting = nil
        return (picture, send(next))
    }

    /// Another stream begins, and counts anew: what is under way is not waited for.
    mutating func begin() {
        underWay.removeAll()
        waiting = nil
    }

    private mutating func send(_ picture: EncodedPicture) -> EncodedPicture {
        underWay.append(picture)
        sent += 1
        return picture
    }
}
