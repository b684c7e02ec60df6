// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

extension AVCaptureConnection {
    /// Creates a connection of a stream to an output, for ``AVCaptureSession/addConnection(_:)``.
    ///
    /// - Parameters:
    ///   - ports: one stream of an input.
    ///   - output: an output that was added without connections.
    public convenience init(inputPorts ports: [AVCaptureInput.Port], output: AVCaptureOutput) {
        self.init(ports, output)
    }

    /// Creates a connection of a stream to a preview layer, for ``AVCaptureSession/addConnection(_:)``.
    ///
    /// - Parameters:
    ///   - port: a stream of a camera.
    ///   - layer: a layer whose session was set without a connection.
    public convenience init(inputPort port: AVCaptureInput.Port, videoPreviewLayer layer: AVCaptureVideoPreviewLayer) {
        self.init([port], layer.output)
    }

    private convenience init(_ ports: [AVCaptureInput.Port], _ output: AVCaptureOutput) {
        let type = ports.first?.mediaType.mediaType ?? .video
        // One that the output does not have is refused by the session.
        let connection =
            output.output.connections.first { $0.mediaType == type }
            ?? CaptureConnection(outputName: output.output.name, mediaType: type)
        self.init(
            connection, of: output, adjustsMirroring: output.adjustsMirroring,
            source: ports.count == 1 ? ports[0].input as? AVCaptureDeviceInput : nil)
    }

    /// The streams that the output receives; empty if the connection is not part of a session.
    public var inputPorts: [AVCaptureInput.Port] {
        let ports = output?.sources[connection.mediaType]?.ports ?? []
        return ports.filter { $0.mediaType.mediaType == connection.mediaType }
    }
}
