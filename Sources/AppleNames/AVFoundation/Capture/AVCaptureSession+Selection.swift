// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// The modes of the cameras of a session.
extension AVCaptureSession {
    /// The mode in which a camera of the session runs, or would run; nil for one that is not in the session.
    func mode(of device: AVCaptureDevice) -> VideoFormat? {
        let graph = contents
        guard let input = graph.input(of: device) else { return nil }
        return graph.selectedMode(of: input) ?? graph.usualMode(of: device) ?? session.activeFormat(of: input.input)
    }

    /// The selection for a camera; nil for one that is not in the session.
    func selection(for device: AVCaptureDevice) -> ModeSelection? {
        let graph = contents
        return graph.input(of: device).map { graph.selections[$0.input] ?? ModeSelection() }
    }

    /// Changes the selection for a camera. Returns false for one that is not in the session.
    func select(for device: AVCaptureDevice, isFormat: Bool, _ body: (inout ModeSelection) -> Void) -> Bool {
        var isPresent = false
        change { graph in
            guard let input = graph.input(of: device) else { return }
            isPresent = true
            graph.select(for: input, isFormat: isFormat, body)
        }
        return isPresent
    }
}
