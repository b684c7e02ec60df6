// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// Handles the disconnection of a device; see ``CaptureDeviceInput/DisconnectionPolicy``.
extension CaptureSession {
    /// Applies the policy of the input. On the driver's thread: must not block.
    func handleDisconnection(of source: CaptureSource) {
        switch source.input.whenDisconnected {
        case .wait: break
        case .end: control.async { [weak self] in self?.end(source) }
        case .switchTo(let choose):
            control.async { [weak self] in
                guard let self, lost(source) != nil, let device = choose(source.input.device) else { return }
                // The device may have been reconnected while the closure ran.
                guard lost(source) != nil else { return }
                replace(source.input, with: device)
            }
        }
    }

    /// Returns the running source of a disconnected device; nil if no decision is needed any more, because of a
    /// stop, a pause, a change, or the return of the device.
    private func lost(_ source: CaptureSource) -> RunningSource? {
        guard source.isInterrupted, !source.hasEnded else { return nil }
        return state.withLock { state in
            state.machine.isRunning ? state.sources.first { $0.source === source } : nil
        }
    }

    private func end(_ source: CaptureSource) {
        guard let running = lost(source) else { return }
        // A decoder ends after the frames that it has, and so with the source.
        RunningSource.stopDevices(of: [running])
        source.finish(throwing: .gone(source.input.device))
    }

    private func replace(_ input: CaptureDeviceInput, with device: CaptureDevice) {
        do throws(ObscuraError) {
            let other = try CaptureDeviceInput(
                device: device, startsWhenAvailable: input.startsWhenAvailable,
                whenDisconnected: input.whenDisconnected, pausesWhileLocked: input.pausesWhileLocked)
            let unasked = try commit { configuration in
                // If the input was removed in the meantime, that decision stands.
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
