// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Testing

@testable import AVFoundation

/// The zoom factors of a ramp.
@Suite("Zoom ramps") struct ZoomRampTests {
    @Test("The rate is in powers of two per second, in both directions") func rate() {
        let ramp = ZoomRamp(start: 1, target: 8, rate: 1)
        #expect(ramp.duration == 3)
        #expect([0, 1, 2, 3, 4].map(ramp.factor) == [1, 2, 4, 8, 8])
        let back = ZoomRamp(start: 8, target: 2, rate: 2)
        #expect(back.duration == 1)
        #expect([0, 0.5, 1, 100].map(back.factor) == [8, 4, 2, 2])
    }

    @Test("A ramp to the present zoom factor, or at an infinite rate, is at its end at once") func immediate() {
        #expect(ZoomRamp(start: 3, target: 3, rate: 1).factor(after: 0) == 3)
        #expect(ZoomRamp(start: 1, target: 3, rate: .infinity).factor(after: 0) == 3)
    }
}
