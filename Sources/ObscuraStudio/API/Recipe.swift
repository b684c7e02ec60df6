// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The edits of a photo, as pages write them; see `StillRecipe`.
struct Recipe: Codable, Sendable, Hashable {
    /// A part of the picture at its step, in fractions of its sides.
    struct Part: Codable, Sendable, Hashable {
        var x: Double
        var y: Double
        var width: Double
        var height: Double
    }

    enum Turn: String, Codable, Sendable {
        case right, down, left
    }

    enum Edit: Sendable, Hashable {
        case crop(Part)
        case rotate(Turn)
        case mirror
        case straighten(degrees: Double)
        case redEye([Part])
        /// Light and colours, automatically.
        case enhance
    }

    var edits: [Edit]
}

extension Recipe.Edit: Codable {
    private enum Kind: String, Codable {
        case crop, rotate, mirror, straighten, redEye, enhance
    }

    private enum Key: String, CodingKey {
        case kind, x, y, width, height, turn, degrees, parts
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        switch try values.decode(Kind.self, forKey: .kind) {
        case .crop: self = .crop(try Recipe.Part(from: decoder))
        case .rotate: self = .rotate(try values.decode(Recipe.Turn.self, forKey: .turn))
        case .mirror: self = .mirror
        case .straighten: self = .straighten(degrees: try values.decode(Double.self, forKey: .degrees))
        case .redEye: self = .redEye(try values.decode([Recipe.Part].self, forKey: .parts))
        case .enhance: self = .enhance
        }
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        switch self {
        case .crop(let part):
            try values.encode(Kind.crop, forKey: .kind)
            try part.encode(to: encoder)
        case .rotate(let turn):
            try values.encode(Kind.rotate, forKey: .kind)
            try values.encode(turn, forKey: .turn)
        case .mirror: try values.encode(Kind.mirror, forKey: .kind)
        case .straighten(let degrees):
            try values.encode(Kind.straighten, forKey: .kind)
            try values.encode(degrees, forKey: .degrees)
        case .redEye(let parts):
            try values.encode(Kind.redEye, forKey: .kind)
            try values.encode(parts, forKey: .parts)
        case .enhance: try values.encode(Kind.enhance, forKey: .kind)
        }
    }
}
