// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// What a sound card can take, as a list and as the choice of one.
enum ALSAFormats {
    /// The rates that are asked for, in the order in which they are liked.
    static let rates = [
        48_000, 44_100, 96_000, 88_200, 192_000, 176_400, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000,
    ]
    /// More channels are not listed: nobody could tell them apart in a list.
    static let mostChannels = 8

    /// The numbers of channels from the least to the most, in the order in which they are liked: two, one, then the
    /// more the later.
    static func channelCounts(from least: Int, to most: Int) -> [Int] {
        let least = max(1, least)
        // A card that has only many, such as a mixing desk, is listed with the fewest that it takes.
        guard least <= mostChannels else { return [min(least, 64)] }
        return (least...max(least, min(most, mostChannels))).sorted { rank($0) < rank($1) }
    }

    private static func rank(_ channels: Int) -> Int {
        channels == 2 ? 0 : channels
    }

    /// The layouts in the order in which they serve who wants samples of `type`: its own, then those with no fewer
    /// bits, then the rest.
    static func layouts(for type: AudioFormat.SampleType?) -> [ALSASampleLayout] {
        let all = ALSASampleLayout.allCases
        guard let type else { return all }
        return all.filter { $0.sampleType == type } + all.filter { $0.sampleType != type }
    }
}
