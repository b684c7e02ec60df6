// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import NIOCore
internal import Obscura

/// A message from a page.
enum PageMessage: Sendable, Equatable {
    /// The complete list of tiles that the page displays. A tile is a view of a camera.
    case watch([TileRequest])
    /// The page has displayed the picture with this sequence number in this tile.
    case drawn(tile: Int, sequence: UInt32)
}

/// A tile of a page, and its view of a camera.
struct TileRequest: Codable, Sendable, Hashable {
    var tile: Int
    var camera: String
    var width: Int
    var height: Int
    var gravity: VideoGravity?
    var isMirrored: Bool?
    /// Maximum frame rate, in frames per second.
    var rate: Int?

    static let mostTiles = 64

    var picture: PictureRequest {
        PictureRequest(
            box: PixelSize(width: width, height: height), gravity: gravity ?? .resizeAspect, isMirrored: isMirrored,
            rate: rate)
    }
}

extension PageMessage: Decodable {
    private enum Kind: String, Decodable {
        case watch, drawn
    }

    private enum Key: String, CodingKey {
        case type, tiles, tile, sequence
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        switch try values.decode(Kind.self, forKey: .type) {
        case .watch:
            let tiles = try values.decode([TileRequest].self, forKey: .tiles)
            let areRight =
                tiles.count <= TileRequest.mostTiles && Set(tiles.map(\.tile)).count == tiles.count
                && tiles.allSatisfy {
                    (1...65535).contains($0.tile) && ($0.rate.map { (1...240).contains($0) } ?? true)
                }
            guard areRight else {
                throw DecodingError.dataCorruptedError(
                    forKey: .tiles, in: values,
                    debugDescription: "at most \(TileRequest.mostTiles) tiles, each with a number of its own from 1 on")
            }
            self = .watch(tiles)
        case .drawn:
            self = .drawn(
                tile: try values.decode(Int.self, forKey: .tile),
                sequence: try values.decode(UInt32.self, forKey: .sequence))
        }
    }
}

/// A message to a page, other than a picture.
enum ServerMessage: Encodable, Sendable {
    case state(StudioState)
    case levels(camera: String, [Level])
    case recording(camera: String, RecordingDescription)
    case statistics(CameraStatistics)
    case notice(Notice)
    /// The server ends, and not because of a failure: the page must not connect again.
    case ended

    /// The audio level of a channel, in dBFS.
    struct Level: Encodable, Sendable {
        var average: Float
        var peak: Float
    }

    private enum Key: String, CodingKey {
        case type, state, camera, channels, recording, statistics
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        switch self {
        case .state(let state):
            try values.encode("state", forKey: .type)
            try values.encode(state, forKey: .state)
        case .levels(let camera, let levels):
            try values.encode("levels", forKey: .type)
            try values.encode(camera, forKey: .camera)
            try values.encode(levels, forKey: .channels)
        case .recording(let camera, let recording):
            try values.encode("recording", forKey: .type)
            try values.encode(camera, forKey: .camera)
            try values.encode(recording, forKey: .recording)
        case .statistics(let statistics):
            try values.encode("statistics", forKey: .type)
            try values.encode(statistics, forKey: .statistics)
        case .notice(let notice):
            try values.encode("notice", forKey: .type)
            try notice.encode(to: encoder)
        case .ended:
            try values.encode("ended", forKey: .type)
        }
    }
}

/// The header that precedes the bytes of a picture, in little-endian byte order.
enum PictureHeader {
    static let byteCount = 24

    static func make(_ picture: EncodedPicture, tile: Int, at time: HostTime = .now) -> ByteBuffer {
        var header = ByteBuffer()
        header.reserveCapacity(byteCount)
        // The format, JPEG, followed by the key frame flag.
        header.writeInteger(UInt8(1))
        header.writeInteger(UInt8(1))
        header.writeInteger(UInt16(clamping: tile), endianness: .little)
        header.writeInteger(picture.sequence, endianness: .little)
        header.writeInteger(UInt64(clamping: picture.hostTime.nanoseconds), endianness: .little)
        header.writeInteger(UInt16(clamping: picture.size.width), endianness: .little)
        header.writeInteger(UInt16(clamping: picture.size.height), endianness: .little)
        header.writeInteger(UInt32(clamping: picture.age(at: time).wholeNanoseconds / 1000), endianness: .little)
        return header
    }
}
