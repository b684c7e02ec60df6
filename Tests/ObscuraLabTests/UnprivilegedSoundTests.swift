// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Obscura
import TestSupport
import Testing

@testable import ObscuraDevices

/// Run as a user who is in no group; see `Tests/Lab/run-tests`.
@Suite("A user without the group audio", .unprivilegedGuest)
struct UnprivilegedSoundTests {
    @Test("He sees the microphone, and is told that he may not use it and which group he lacks")
    func denied() throws {
        #expect(CaptureDevice.authorizationStatus(for: .audio) == .denied)
        let device = try #require(CaptureDevice.default(for: .audio))
        #expect(device.authorizationStatus == .denied)
        let error = #expect(throws: CaptureError.self) { try CaptureDeviceInput(device: device) }
        #expect(error?.code == .notAuthorized)
        #expect(error?.advice?.contains("group audio: sudo usermod -aG audio") == true, "\(error?.advice ?? "")")
        let opening = #expect(throws: CaptureError.self) {
            try ALSAPCM.opened(path: LoopbackCard.node, namesHolders: true)
        }
        #expect(opening?.code == .notAuthorized)
        #expect(opening?.advice?.contains("usermod -aG audio") == true, "\(opening?.advice ?? "")")
        #expect(device.audioFormats.isEmpty)
        let finding = try #require(MicrophoneSession.provider.findings.first)
        #expect(finding.level == .problem && finding.advice?.contains("usermod -aG audio") == true, "\(finding)")
    }
}
