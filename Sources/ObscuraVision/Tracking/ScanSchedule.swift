// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#if Vision

internal import ObscuraMedia

/// Which sizes are searched in all of the picture, frame by frame: large faces in each, for their levels are small and
/// cost little; the small ones in turns.
struct ScanSchedule: Sendable {
    let levels: [ScaleLevel]
    /// For each frame of a round, the levels that are searched, by their index.
    let turns: [Set<Int>]

    /// Which part of all work the levels may be that are searched in each frame.
    private static let alwaysShare = 0.12

    /// - Parameter frames: how many frames a round has.
    init(_ pyramid: ScalePyramid, frames: Int) {
        levels = pyramid.levels
        let costs = levels.map { Double($0.windowCount) + Double($0.size.width * $0.size.height) / 12 }
        let total = costs.reduce(0, +)
        var always: Set<Int> = []
        var sum = 0.0
        for index in levels.indices.reversed() {
            sum += costs[index]
            if sum > total * Self.alwaysShare { break }
            always.insert(index)
        }
        var turns = Array(repeating: always, count: max(1, frames))
        var loads = Array(repeating: 0.0, count: turns.count)
        // The most expensive first, each to the frame that has least to do.
        for index in levels.indices.filter({ !always.contains($0) }).sorted(by: { costs[$0] > costs[$1] }) {
            let turn = loads.indices.min { loads[$0] < loads[$1] } ?? 0
            turns[turn].insert(index)
            loads[turn] += costs[index]
        }
        self.turns = turns
    }
}

#endif
