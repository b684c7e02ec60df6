// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// What becomes of a session whose device was unplugged; see ``CaptureDeviceInput/DisconnectionPolicy``.
extension CaptureSession {
    /// On the driver's thread: nothing here may wait.
    func handleDisconnection(of source: CaptureSource) {
        switch source.input.whenDisconnected {
        case .wait: break
        case .end: control.async { [weak self] in self?.end(source) }
        case .switchTo(let choose):
            control.async { [weak self] in
                guard let self, let device = choose(source.input.device) else { return }
                replace(source.input, with: device)
            }
        }
    }

    private func end(_ source: CaptureSource) {
        guard let running = state.withLock({ $0.sources.first { $0.source === source } }) else { return }
        running.run.stop()
        source.finish(throwing: .gone(source.input.device))
    }

    private func replace(_ input: CaptureDeviceInput, with device: CaptureDevice) {
        do throws(CaptureError) {
            let other = try CaptureDeviceInput(
                device: device, startsWhenAvailable: input.startsWhenAvailable,
                whenDisconnected: input.whenDisconnected)
            let unasked = try commit { configuration in
                // Whoever took the input out meanwhile has decided otherwise.
                guard configuration.inputs.contains(input) else { return }
                try configuration.replaceInput(input, with: other)
            }
            if let unasked { throw .notAuthorized(unasked.device) }
        } catch {
            listeners.send(.refused(error))
        }
    }
}

extension CaptureError {
    fileprivate static func gone(_ device: CaptureDevice) -> CaptureError {
        CaptureError(
            .deviceDisconnected, subject: device.localizedName, reason: "it was unplugged",
            advice: "Plug it in again and start the session.")
    }
}
