// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The distribution of values, such as the lumas of a picture.
struct Distribution {
    private let sorted: [Float]

    init(_ values: some Sequence<Float>) { sorted = values.sorted() }

    /// Returns the value below which this share of the values is; 0 without values.
    func quantile(_ share: Double) -> Float {
        guard !sorted.isEmpty else { return 0 }
        return sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
    }

    /// Returns the range of the values, without this share of them at each end.
    func spread(without share: Double) -> Float { quantile(1 - share) - quantile(share) }
}
