// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Obscura
import ObscuraMedia
import TestSupport
import Testing

/// A session on one camera of the kernel, and what the tests look at.
struct CameraSession {
    /// The mode of most tests: arithmetic in the guest is slow.
    static let small = PixelSize(width: 320, height: 180)

    let session = CaptureSession()
    let input: CaptureDeviceInput
    let events: EventRecord

    /// - Parameter format: the mode; nil takes the smallest in which the camera gives 30 frames a second.
    init(
        _ path: String, format: VideoFormat? = nil, outputs: [VideoDataOutput], startsWhenAvailable: Bool = false,
        whenDisconnected: CaptureDeviceInput.DisconnectionPolicy = .wait
    ) async throws {
        try await self.init(
            device: CaptureDevice.named("camera:\(path)"), format: format, outputs: outputs,
            startsWhenAvailable: startsWhenAvailable, whenDisconnected: whenDisconnected)
    }

    init(
        device: CaptureDevice, format: VideoFormat? = nil, outputs: [VideoDataOutput],
        startsWhenAvailable: Bool = false, whenDisconnected: CaptureDeviceInput.DisconnectionPolicy = .wait
    ) async throws {
        let input = try CaptureDeviceInput(
            device: device, startsWhenAvailable: startsWhenAvailable, whenDisconnected: whenDisconnected)
        self.input = input
        events = EventRecord(session)
        try await session.configure {
            $0.preset = .low
            try $0.addInput(input)
            if let format { try $0.setFormat(format, for: input) }
            for output in outputs { try $0.addOutput(output) }
        }
    }

    /// Expects that every reader's books are right.
    func expectBalance(sourceLocation: SourceLocation = #_sourceLocation) {
        for reader in session.ledger.readers {
            #expect(reader.frames.isBalanced, "\(reader)", sourceLocation: sourceLocation)
        }
    }
}
