// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraMedia

/// What a stretch of one channel says of a tone in it.
struct HeardTone {
    /// The peak against full scale, in dB.
    let peak: Double
    /// In hertz, from the distance of its zero crossings.
    let frequency: Double
    /// How many times it breaks off or jumps.
    let breaks: Int

    /// - Parameter samples: of a tone alone, some hundred at the least.
    init(_ samples: [Float], sampleRate: Int, frequency wanted: Double) {
        peak = 20 * log10(Double(samples.map(abs).max() ?? 0))
        // Between two samples the crossing is where a straight line has it.
        var crossings: [Double] = []
        for index in samples.indices.dropFirst() where samples[index - 1] < 0 && samples[index] >= 0 {
            let (before, after) = (Double(samples[index - 1]), Double(samples[index]))
            crossings.append(Double(index - 1) + before / (before - after))
        }
        let span = (crossings.last ?? 0) - (crossings.first ?? 0)
        frequency = span > 0 ? Double(crossings.count - 1) * Double(sampleRate) / span : 0
        // Of a pure tone, x[n+1] = 2 cos(ω) x[n] - x[n-1] holds for every sample; where it jumps, it does not.
        let factor = 2 * cos(2 * Double.pi * wanted / Double(sampleRate))
        breaks = samples.indices.dropFirst(2).count { index in
            let expected = factor * Double(samples[index - 1]) - Double(samples[index - 2])
            return abs(Double(samples[index]) - expected) > 0.001
        }
    }
}
