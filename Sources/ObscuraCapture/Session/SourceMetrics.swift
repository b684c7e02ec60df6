// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Metrics

/// The metrics of a device, for the program's metrics system (swift-metrics). Their label is the device's unique id.
struct SourceMetrics: Sendable {
    private let received: Counter
    private let gaps: Counter
    private let lost: Counter
    private let sound: Counter
    private let encodedFrames: Counter
    private let encodedSound: Counter

    init(_ device: CaptureDevice, _ factory: any MetricsFactory) {
        let labels = [("device", device.uniqueID)]
        received = Counter(label: "obscura.frames.received", dimensions: labels, factory: factory)
        gaps = Counter(label: "obscura.frames.gaps", dimensions: labels, factory: factory)
        lost = Counter(label: "obscura.frames.lost", dimensions: labels, factory: factory)
        sound = Counter(label: "obscura.audio.received", dimensions: labels, factory: factory)
        encodedFrames = Counter(label: "obscura.encoded.frames.received", dimensions: labels, factory: factory)
        encodedSound = Counter(label: "obscura.encoded.audio.received", dimensions: labels, factory: factory)
    }

    /// Reports a frame, and the number of frames missing before it.
    func receivedFrame(gap: UInt64) {
        received.increment()
        // Any numbers may come from a driver.
        if gap > 0 { gaps.increment(by: Int64(clamping: gap)) }
    }

    /// Reports a frame that cannot be used.
    func lostFrame() { lost.increment() }

    /// Reports a buffer of audio.
    func receivedSound() { sound.increment() }

    /// Reports a compressed frame that is delivered beside, or instead of, pixels.
    func receivedEncodedFrame() { encodedFrames.increment() }

    /// Reports a packet of compressed audio.
    func receivedEncodedSound() { encodedSound.increment() }
}
