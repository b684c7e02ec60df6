// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Logging
internal import Obscura

/// Connections that a program chooses, such as those of several cameras.
extension AVCaptureSession {
    private static let logger = Logger(label: "obscura.avfoundation")

    /// Adds an input. Outputs that were added with ``addOutput(_:)`` are connected to the first input of their media
    /// type, also to this one.
    public func addInputWithNoConnections(_ input: AVCaptureInput) { addInput(input) }

    /// Adds an output that receives nothing until it is connected with ``addConnection(_:)``.
    public func addOutputWithNoConnections(_ output: AVCaptureOutput) {
        guard canAddOutput(output) else {
            return Self.logger.error("addOutputWithNoConnections: \(output) cannot be added")
        }
        connect(output)
        change { graph in
            graph.outputs.append(output)
            graph.links[ObjectIdentifier(output)] = [:]
        }
    }

    /// Whether a connection can be added: of an input of the session to an output of the session that was added without
    /// connections, that receives the media type, and has no such connection yet.
    public func canAddConnection(_ connection: AVCaptureConnection) -> Bool {
        let contents = contents
        guard let input = connection.source, let output = connection.output,
            contents.deviceInputs.contains(where: { $0 === input }),
            let linked = contents.links[ObjectIdentifier(output)]
        else { return false }
        let type = connection.connection.mediaType
        return output.output.connections.contains { $0 === connection.connection }
            && input.device.device.mediaTypes.contains(type)
            && linked[type] == nil
    }

    /// Adds a connection.
    public func addConnection(_ connection: AVCaptureConnection) {
        guard canAddConnection(connection), let input = connection.source, let output = connection.output else {
            return Self.logger.error("addConnection: the connection cannot be added")
        }
        output.keep(connection)
        connection.isEnabled = true
        change { $0.links[ObjectIdentifier(output), default: [:]][connection.connection.mediaType] = input }
    }

    /// Removes a connection, also one that the session has made. Its output receives nothing until it is connected
    /// again.
    public func removeConnection(_ connection: AVCaptureConnection) {
        guard let output = connection.output, connections.contains(where: { $0 === connection }) else { return }
        change { graph in
            // What the session has connected otherwise stays connected.
            var sources = graph.sources(of: output)
            sources[connection.connection.mediaType] = nil
            graph.links[ObjectIdentifier(output)] = sources
        }
    }
}

/// A session of several cameras.
///
/// Outputs and preview layers are added without connections, and connected to the camera that each of them shows. Cameras
/// share the bandwidth of their USB bus: a camera that does not get enough of it fails, which is reported as a runtime
/// error.
public final class AVCaptureMultiCamSession: AVCaptureSession, @unchecked Sendable {  // It adds no properties.
    /// Whether several cameras can run at the same time: always.
    public static var isMultiCamSupported: Bool { true }

    override var takesSeveralCameras: Bool { true }
}
