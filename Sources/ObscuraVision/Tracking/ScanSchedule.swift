// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// The sizes that are searched in the whole picture, for each frame of a round: large faces in each frame, since their
/// levels are small and cheap; each small size in one frame of the round.
struct ScanSchedule: Sendable {
    let levels: [ScaleLevel]
    /// The indices of the searched levels, for each frame of a round.
    let frames: [Set<Int>]

    /// The maximum share of the total cost for levels that are searched in each frame.
    private static let alwaysShare = 0.12

    /// - Parameter count: the number of frames in a round.
    init(_ pyramid: ScalePyramid, frames count: Int) {
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
        var frames = Array(repeating: always, count: max(1, count))
        var loads = Array(repeating: 0.0, count: frames.count)
        // The most expensive levels first, each in the frame with the lowest cost so far.
        for index in levels.indices.filter({ !always.contains($0) }).sorted(by: { costs[$0] > costs[$1] }) {
            let frame = loads.indices.min { loads[$0] < loads[$1] } ?? 0
            frames[frame].insert(index)
            loads[frame] += costs[index]
        }
        self.frames = frames
    }
}
