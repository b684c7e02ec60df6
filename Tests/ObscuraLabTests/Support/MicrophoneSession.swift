// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Obscura
import ObscuraMedia
import TestSupport

@testable import ObscuraDevices

/// A session on the guest's sound card.
struct MicrophoneSession {
    let session = CaptureSession()
    let output: AudioDataOutput
    let events: EventRecord

    static let provider = MicrophoneDeviceProvider.machine(converters: nil)

    /// - Parameters:
    ///   - format: that of the card; the smallest by default, since arithmetic in the guest is slow.
    ///   - outputFormat: that in which the sound is read; nil takes it as it comes.
    init(
        _ name: String = LoopbackCard.name,
        format: AudioFormat = AudioFormat(sampleType: .int16, sampleRate: 8000, channelCount: 1),
        outputFormat: AudioFormat? = nil, startsWhenAvailable: Bool = false
    ) async throws {
        // Keeps 4 s of sound for a reader that is late.
        let output = AudioDataOutput(format: outputFormat, latePolicy: .bounded(400))
        self.output = output
        let device = try CaptureDevice.named("microphone:\(name)")
        let input = try CaptureDeviceInput(device: device, startsWhenAvailable: startsWhenAvailable)
        events = EventRecord(session)
        try await session.configure {
            try $0.addInput(input)
            try $0.setAudioFormat(format, for: input)
            try $0.addOutput(output)
        }
    }
}
