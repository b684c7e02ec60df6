// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A name of a card in libasound's syntax: `hw:0`, `hw:0,1`, `plughw:PCH,0`, `hw:CARD=PCH,DEV=0`.
struct SoundCardName: Sendable, Hashable {
    /// The number or the short name.
    let card: String
    /// The number of its device; nil for the first capture device.
    let device: Int?

    /// Parses a name; nil for another syntax.
    init?(_ name: String) {
        guard let colon = name.firstIndex(of: ":"), ["hw", "plughw", "sysdefault"].contains(name[..<colon]) else {
            return nil
        }
        var card: Substring?
        var device: Substring?
        let parts = name[name.index(after: colon)...].split(separator: ",", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            let pair = part.split(separator: "=", maxSplits: 1)
            switch (index, pair.first, pair.count) {
            case (_, "CARD", 2): card = pair[1]
            case (_, "DEV", 2): device = pair[1]
            // The subdevice is ignored: the driver selects it.
            case (_, "SUBDEV", 2), (2, _, 1): break
            case (0, let value?, 1): card = value
            case (1, let value?, 1): device = value
            default: return nil
            }
        }
        guard let card, !card.isEmpty else { return nil }
        self.card = String(card)
        self.device = device.flatMap { Int(digits: $0) }
        if device != nil, self.device == nil { return nil }
    }

    /// Whether it names the node.
    func isName(of node: SoundNode) -> Bool {
        (card == node.cardID || Int(digits: card) == node.card) && (device == nil || device == node.device)
    }
}
