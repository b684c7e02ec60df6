// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// Preview layers are outputs of the session that its ``outputs`` do not list.
extension AVCaptureSession {
    /// Adds the output of a preview layer.
    ///
    /// - Parameter isConnected: Whether it is connected to the first camera.
    func addLayer(_ layer: AVCaptureOutput, isConnected: Bool) {
        connect(layer)
        change { graph in
            graph.layers.append(layer)
            if !isConnected { graph.routes[ObjectIdentifier(layer)] = OutputRoute(isAutomatic: false) }
        }
    }

    /// Whether the session has the output of a preview layer.
    func hasLayer(_ layer: AVCaptureOutput) -> Bool { contents.layers.contains { $0 === layer } }

    /// Removes the output of a preview layer.
    func removeLayer(_ layer: AVCaptureOutput) {
        layer.leave()
        change { graph in
            graph.layers.removeAll { $0 === layer }
            graph.routes[ObjectIdentifier(layer)] = nil
        }
        layer.link(nil)
    }
}
