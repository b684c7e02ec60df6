// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A card as libasound's users name it: `hw:0`, `hw:0,1`, `plughw:PCH,0`, `hw:CARD=PCH,DEV=0`.
struct SoundCardName: Sendable, Hashable {
    /// Its number or its short name.
    let card: String
    /// Which of its devices; nil for the first from which sound comes.
    let device: Int?

    /// Nil for what is no such name.
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
            // The one among several streams of a device is the card's own choice.
            case (_, "SUBDEV", 2), (2, _, 1): break
            case (0, let value?, 1): card = value
            case (1, let value?, 1): device = value
            default: return nil
            }
        }
        guard let card, !card.isEmpty else { return nil }
        self.card = String(card)
        self.device = device.flatMap(SoundNode.natural)
        if device != nil, self.device == nil { return nil }
    }

    /// Whether the node is meant.
    func isName(of node: SoundNode) -> Bool {
        (card == node.cardID || SoundNode.natural(card[...]) == node.card) && (device == nil || device == node.device)
    }
}
