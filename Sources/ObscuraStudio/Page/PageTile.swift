// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// The flow control of one tile of a page. A value type without side effects. At most two pictures are in transit, or
/// one while the page has many bytes in transit; of the pictures that arrive meanwhile, only the newest is kept.
struct PageTile: Sendable {
    let request: TileRequest
    private var underWay: [EncodedPicture] = []
    private var waiting: EncodedPicture?
    private(set) var sent: UInt64 = 0
    private(set) var drawn: UInt64 = 0
    /// Number of waiting pictures that a newer one replaced.
    private(set) var replaced: UInt64 = 0

    static let mostUnderWay = 2
    /// Bytes in transit to a page, from which on each of its tiles gets one picture at a time.
    static let muchUnderWay = 2 << 20

    init(_ request: TileRequest) {
        self.request = request
    }

    /// Bytes that were sent to the tile and not drawn yet.
    var bytesUnderWay: Int { underWay.reduce(0) { $0 + $1.bytes.readableBytes } }

    /// - Parameter pageBytes: bytes in transit to the page, over all of its tiles.
    /// - Returns: the picture if it is to be sent now, otherwise nil.
    mutating func enqueue(_ picture: EncodedPicture, pageBytes: Int = 0) -> EncodedPicture? {
        guard underWay.count < (pageBytes < Self.muchUnderWay ? Self.mostUnderWay : 1) else {
            if waiting != nil { replaced += 1 }
            waiting = picture
            return nil
        }
        return send(picture)
    }

    /// Handles the report that the page has drawn a picture, which also completes all earlier ones.
    ///
    /// - Returns: the drawn picture, nil if it is not in transit; and the next picture to send.
    mutating func acknowledge(_ sequence: UInt32) -> (drawn: EncodedPicture?, next: EncodedPicture?) {
        guard let index = underWay.firstIndex(where: { $0.sequence == sequence }) else { return (nil, nil) }
        let picture = underWay[index]
        underWay.removeFirst(index + 1)
        drawn += 1
        guard let next = waiting else { return (picture, nil) }
        waiting = nil
        return (picture, send(next))
    }

    /// Starts a new stream, whose numbers begin anew, without waiting for the pictures in transit.
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
