// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraCapture

extension CaptureSession {
    /// A session of one camera or microphone and some outputs.
    package static func of(
        _ driver: any CaptureDriver, _ outputs: [CaptureOutput], clock: any CaptureClock = SystemClock()
    ) async throws -> CaptureSession {
        let session = CaptureSession(clock: clock)
        try await session.configure { configuration in
            try configuration.addInput(CaptureDeviceInput(device: CaptureDevice(driver: driver)))
            for output in outputs { try configuration.addOutput(output) }
        }
        return session
    }
}
