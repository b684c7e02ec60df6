// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Logging
internal import Obscura

/// Connections that a program chooses, such as those of several cameras.
extension AVCaptureSession {
    private static let logger = Logger(label: "obscura.avfoundation")

    /// Adds an input, like ``addInput(_:)``. Outputs that were added with ``addOutput(_:)`` are connected to the first
    /// input of their media type, even if it was added with this function.
    public func addInputWithNoConnections(_ input: AVCaptureInput) { addInput(input) }

    /// Adds an output that receives nothing until it is connected with ``addConnection(_:)``.
    public func addOutputWithNoConnections(_ output: AVCaptureOutput) {
        guard canAddOutput(output) else {
            return Self.logger.error("addOutputWithNoConnections: \(output) cannot be added")
        }
        connect(output)
        change { graph in
            graph.outputs.append(output)
            graph.routes[ObjectIdentifier(output)] = OutputRoute(isAutomatic: false)
        }
    }

    /// Whether a connection can be added. Its input and its output must be in the session, and the output must receive
    /// the media type.
    ///
    /// The output must also have no connection for the media type: it was added without connections, or the connection
    /// was removed.
    public func canAddConnection(_ connection: AVCaptureConnection) -> Bool {
        let contents = contents
        guard let input = connection.source, let output = connection.output,
            contents.deviceInputs.contains(where: { $0 === input }),
            let route = contents.routes[ObjectIdentifier(output)]
        else { return false }
        let type = connection.connection.mediaType
        return output.output.connections.contains { $0 === connection.connection }
            && input.device.device.mediaTypes.contains(type) && route.takesLink(type)
    }

    /// Adds a connection.
    public func addConnection(_ connection: AVCaptureConnection) {
        guard canAddConnection(connection), let input = connection.source, let output = connection.output else {
            return Self.logger.error("addConnection: the connection cannot be added")
        }
        output.keep(connection)
        change { $0.routes[ObjectIdentifier(output)]?.links[connection.connection.mediaType] = input }
    }

    /// Removes a connection, even if the session made it automatically. The output receives nothing of the media type
    /// until a new connection is added.
    public func removeConnection(_ connection: AVCaptureConnection) {
        guard let output = connection.output, connections.contains(where: { $0 === connection }) else { return }
        let type = connection.connection.mediaType
        change { graph in
            var route = graph.routes[ObjectIdentifier(output)] ?? OutputRoute()
            route.links[type] = nil
            route.removed.insert(type)
            graph.routes[ObjectIdentifier(output)] = route
        }
    }
}

/// A session of several cameras.
///
/// Add outputs and preview layers without connections, and then connect each to its camera. Cameras share the bandwidth
/// of their USB bus. If it is not enough, a camera fails, and a runtime error is reported.
public final class AVCaptureMultiCamSession: AVCaptureSession, @unchecked Sendable {  // It adds no properties.
    /// Whether several cameras can run at the same time: always.
    public static var isMultiCamSupported: Bool { true }

    override var takesSeveralCameras: Bool { true }
}
