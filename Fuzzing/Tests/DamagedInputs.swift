// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import TestSupport

/// Inputs that are a seed with a few changes.
struct DamagedInputs {
    private static let numbers: [UInt32] = [0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff]
    private let seeds: [[UInt8]]
    private var dice = Dice(seed: 17)

    init(_ seeds: [[UInt8]]) {
        self.seeds = seeds
    }

    mutating func next() -> [UInt8] {
        var input = seeds.randomElement(using: &dice) ?? []
        for _ in 0..<Int.random(in: 1...4, using: &dice) where !input.isEmpty { damage(&input) }
        return input
    }

    private mutating func damage(_ input: inout [UInt8]) {
        // Half of the changes are at the beginning, where the structure is.
        let reach = Bool.random(using: &dice) ? input.count : min(input.count, 512)
        let place = Int.random(in: 0..<reach, using: &dice)
        let part = place..<Int.random(in: place...min(place + 64, input.count), using: &dice)
        switch Int.random(in: 0..<6, using: &dice) {
        case 0: input[place] ^= 1 << UInt8.random(in: 0..<8, using: &dice)
        case 1: input[place] = UInt8.random(in: 0...255, using: &dice)
        case 2:
            // Lengths and counts.
            let number = Self.numbers.randomElement(using: &dice) ?? 0
            for (index, shift) in zip(place..<input.count, [24, 16, 8, 0]) {
                input[index] = UInt8(truncatingIfNeeded: number >> UInt32(shift))
            }
        case 3: input.removeSubrange(part)
        case 4: input.insert(contentsOf: input[part], at: place)
        default: input.removeLast(input.count - place)
        }
    }
}
