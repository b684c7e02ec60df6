// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraCapture
import ObscuraMedia
import Testing

extension CaptureSession {
    /// A session of one camera and some outputs.
    static func of(
        _ driver: any CaptureDriver, _ outputs: [any CaptureOutput], clock: any CaptureClock = SystemClock()
    ) async throws -> CaptureSession {
        let session = CaptureSession(clock: clock)
        try await session.configure { configuration in
            try configuration.addInput(CaptureDeviceInput(device: CaptureDevice(driver: driver)))
            for output in outputs { try configuration.addOutput(output) }
        }
        return session
    }

    /// The books of a reader.
    func reader(_ name: String) throws -> SessionLedger.Reader {
        try #require(ledger.readers.last { $0.name.hasPrefix(name) })
    }

    /// Expects the books of all readers to be right.
    func expectBalance(sourceLocation: SourceLocation = #_sourceLocation) {
        for reader in ledger.readers {
            #expect(reader.frames.isBalanced, "\(reader.name): \(reader.frames)", sourceLocation: sourceLocation)
        }
    }
}
