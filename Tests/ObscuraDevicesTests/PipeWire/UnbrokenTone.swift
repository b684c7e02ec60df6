// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation

/// The samples since the last break of a tone.
struct UnbrokenTone {
    private(set) var samples: [Float] = []

    /// 2 cos(2 pi f / rate): each sample of a sine is this times the one before it, less the one before that.
    private let factor: Float
    /// More than the errors of three samples of 16 bits, and less than the smallest break that matters.
    private static let tolerance: Float = 0.0005

    init(hertz: Double, sampleRate: Double) {
        factor = Float(2 * cos(2 * .pi * hertz / sampleRate))
    }

    mutating func add(_ sample: Float) {
        if let last = samples.last {
            // Silence continues as a sine, too.
            let isSilence = sample == 0 && last == 0
            let isBroken =
                samples.count > 1 && abs(factor * last - samples[samples.count - 2] - sample) > Self.tolerance
            if isSilence || isBroken { samples.removeAll(keepingCapacity: true) }
        }
        samples.append(sample)
    }
}
