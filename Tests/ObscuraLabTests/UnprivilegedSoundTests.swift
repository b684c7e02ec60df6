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
        let error = #expect(throws: ObscuraError.self) { try CaptureDeviceInput(device: device) }
        #expect(error?.code == .notAuthorized)
        #expect(error?.remedy == .joinGroup("audio"))
        let opening = #expect(throws: ObscuraError.self) {
            try ALSAPCM.opened(path: LoopbackCard.node, namesHolders: true)
        }
        #expect(opening?.code == .notAuthorized)
        #expect(opening?.remedy == .joinGroup("audio"))
        #expect(device.audioFormats.isEmpty)
        let finding = try #require(MicrophoneSession.provider.findings.first)
        #expect(finding.level == .problem && finding.remedy == .joinGroup("audio"), "\(finding)")
    }
}
