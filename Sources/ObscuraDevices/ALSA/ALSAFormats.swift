// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// The candidates for the format of a sound card, in order of preference.
enum ALSAFormats {
    /// The sample rates that are tried, in order of preference.
    static let rates = [
        48_000, 44_100, 96_000, 88_200, 192_000, 176_400, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000,
    ]
    /// Maximum number of listed channels.
    static let channelLimit = 8

    /// Returns the channel counts of a range in order of preference: two, one, then ascending.
    static func channelCounts(from least: Int, to most: Int) -> [Int] {
        let least = max(1, least)
        // A card with a larger minimum, such as a mixing desk, is listed with that minimum.
        guard least <= channelLimit else { return [min(least, 64)] }
        return (least...max(least, min(most, channelLimit))).sorted { rank($0) < rank($1) }
    }

    private static func rank(_ channels: Int) -> Int {
        channels == 2 ? 0 : channels
    }

    /// Returns the layouts in order of preference for samples of `type`: those of that type first.
    static func layouts(for type: AudioFormat.SampleType?) -> [ALSASampleLayout] {
        let all = ALSASampleLayout.allCases
        guard let type else { return all }
        return all.filter { $0.sampleType == type } + all.filter { $0.sampleType != type }
    }
}
