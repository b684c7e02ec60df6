// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// Counts of the audio received from a device.
struct AudioCounts: Sendable, Hashable {
    /// Buffers received.
    private(set) var received: UInt64 = 0
    /// Sample frames received.
    private(set) var sampleFrames: UInt64 = 0
    /// Number of overruns in the driver.
    private(set) var overruns: UInt64 = 0
    /// Sample frames lost in overruns.
    private(set) var lost: UInt64 = 0
    /// The measured deviation of the device's clock, in parts per million; nil if unknown.
    private(set) var clockDrift: Double?

    mutating func receive(_ sound: AudioBuffer) {
        received += 1
        sampleFrames &+= UInt64(sound.frameCount)
        clockDrift = sound.attachments.clockDrift ?? clockDrift
        guard sound.attachments.gap > 0 else { return }
        overruns += 1
        lost &+= sound.attachments.gap
    }
}
