// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

// An object with the kind of the edit and its values: `{"kind": "rotate", "turn": "right"}`. An enhancement without
// values is automatic.
extension StillEdit: Codable {
    private enum Kind: String, Codable {
        case crop, rotate, mirror, straighten, redEye, enhance
    }

    private enum Key: String, CodingKey {
        case kind, turn, degrees, parts, values
    }

    /// Decodes an edit from an object with its kind and values, such as `{"kind": "rotate", "turn": "right"}`.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        switch try fields.decode(Kind.self, forKey: .kind) {
        case .crop: self = .crop(try UnitRect(from: decoder))
        case .rotate: self = .rotate(try fields.decode(Orientation.self, forKey: .turn))
        case .mirror: self = .mirror
        case .straighten: self = .straighten(degrees: try fields.decode(Double.self, forKey: .degrees))
        case .redEye: self = .redEye(try fields.decode([UnitRect].self, forKey: .parts))
        case .enhance:
            self = try fields.decodeIfPresent(Enhancement.self, forKey: .values).map(Self.enhance) ?? .autoEnhance
        }
    }

    /// Encodes the edit as an object with its kind and values, such as `{"kind": "rotate", "turn": "right"}`.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        func encode(_ kind: Kind) throws { try fields.encode(kind, forKey: .kind) }
        switch self {
        case .crop(let part):
            try encode(.crop)
            try part.encode(to: encoder)
        case .rotate(let turn):
            try encode(.rotate)
            try fields.encode(turn, forKey: .turn)
        case .mirror: try encode(.mirror)
        case .straighten(let degrees):
            try encode(.straighten)
            try fields.encode(degrees, forKey: .degrees)
        case .redEye(let parts):
            try encode(.redEye)
            try fields.encode(parts, forKey: .parts)
        case .enhance(let values):
            try encode(.enhance)
            try fields.encode(values, forKey: .values)
        case .autoEnhance: try encode(.enhance)
        }
    }
}
