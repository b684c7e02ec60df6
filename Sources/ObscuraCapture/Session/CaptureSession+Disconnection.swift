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
                guard let self, lost(source) != nil, let device = choose(source.input.device) else { return }
                // It may have come back while the closure thought about it.
                guard lost(source) != nil else { return }
                replace(source.input, with: device)
            }
        }
    }

    /// What runs of the source; nil if nothing is to be decided any more: a stop, a pause or a change came
    /// before, or the device is back.
    private func lost(_ source: CaptureSource) -> RunningSource? {
        guard source.isInterrupted, !source.hasEnded else { return nil }
        return state.withLock { state in
            state.machine.isRunning ? state.sources.first { $0.source === source } : nil
        }
    }

    private func end(_ source: CaptureSource) {
        guard let running = lost(source) else { return }
        RunningSource.stop([running])
        source.finish(throwing: .gone(source.input.device))
    }

    private func replace(_ input: CaptureDeviceInput, with device: CaptureDevice) {
        do throws(ObscuraError) {
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

extension ObscuraError {
    fileprivate static func gone(_ device: CaptureDevice) -> ObscuraError {
        ObscuraError(
            .capture, .deviceDisconnected, subject: device.localizedName, reason: "it was unplugged",
            advice: "Plug it in again and start the session.")
    }
}
