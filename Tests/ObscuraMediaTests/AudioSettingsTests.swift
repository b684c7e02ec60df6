// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraMedia
import Testing

@Suite struct AudioSettingsTests {
    private func isAllowed(_ codec: AudioCodec, _ rate: Int, in container: MovieContainer = .mkv) -> Bool {
        (try? AudioSettings(codec: codec, sampleRate: rate).check(for: container)) != nil
    }

    /// Source: ISO/IEC 14496-3, table 1.18.
    @Test(arguments: [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
    ])
    func `AAC has the sample rates of MPEG-4`(rate: Int) {
        #expect(isAllowed(.aac, rate) && !isAllowed(.aac, rate + 1) && !isAllowed(.aac, rate - 1))
    }

    @Test func `Each codec has its range of sample rates`() {
        #expect(isAllowed(.opus, 48_000) && !isAllowed(.opus, 44_100))
        for codec in [AudioCodec.flac, .pcm] {
            #expect(isAllowed(codec, 8_000) && isAllowed(codec, 192_000))
            #expect(!isAllowed(codec, 7_999) && !isAllowed(codec, 192_001))
        }
    }
}
