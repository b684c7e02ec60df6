// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Obscura
import ObscuraMedia
import TestSupport

@testable import ObscuraDevices

/// A session on the guest's sound card.
struct MicrophoneSession {
    let session = CaptureSession()
    /// Keeps 4 s of sound for a reader that is late.
    let output = AudioDataOutput(lateBuffers: .bounded(400))
    let events: EventRecord

    static let provider = ALSADeviceProvider.machine(converters: nil)

    /// - Parameter format: that of the card; the smallest by default, since arithmetic in the guest is slow.
    init(
        _ name: String = LoopbackCard.name,
        format: AudioFormat = AudioFormat(sampleType: .int16, sampleRate: 8000, channelCount: 1),
        startsWhenAvailable: Bool = false
    ) async throws {
        guard let device = try Self.provider.device(named: "microphone:\(name)") else {
            throw Tool.Failure(description: "there is no \(name)")
        }
        let input = try CaptureDeviceInput(device: device, startsWhenAvailable: startsWhenAvailable)
        events = EventRecord(session)
        let output = output
        try await session.configure {
            try $0.addInput(input)
            try $0.setAudioFormat(format, for: input)
            try $0.addOutput(output)
        }
    }
}
