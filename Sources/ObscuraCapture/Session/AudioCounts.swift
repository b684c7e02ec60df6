// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// What a source has heard of its device.
struct AudioCounts: Sendable, Hashable {
    /// Buffers that came.
    private(set) var received: UInt64 = 0
    /// Sample frames that came.
    private(set) var sampleFrames: UInt64 = 0
    /// How often the driver lost sound.
    private(set) var overruns: UInt64 = 0
    /// How many sample frames it lost.
    private(set) var lost: UInt64 = 0

    mutating func receive(_ sound: AudioBuffer) {
        received += 1
        sampleFrames &+= UInt64(sound.frameCount)
        guard sound.attachments.gap > 0 else { return }
        overruns += 1
        lost &+= sound.attachments.gap
    }
}
