// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraMedia

/// A destination for the frames of a session: the superclass of all outputs.
///
/// To create an output, use one of the library's subclasses, such as ``VideoDataOutput``, ``AudioDataOutput``,
/// ``PhotoOutput`` or ``PreviewOutput``. Your own subclasses are not supported.
open class CaptureOutput: @unchecked Sendable {  // Its properties are constant; subclasses prove their own.
    /// The name of the output, used in statistics and messages.
    public let name: String
    /// The connections to inputs, one for each supported media type. When another camera is selected, the connections
    /// and their settings remain.
    public let connections: [CaptureConnection]
    private let parts: [CaptureOutput]

    /// Creates an output with its own connection.
    init(name: String, connection: CaptureConnection) {
        self.name = name
        connections = [connection]
        parts = []
    }

    /// Creates an output that reads through other outputs, which must not be added to a session themselves.
    package init(name: String, parts: [CaptureOutput]) {
        self.name = name
        connections = parts.flatMap(\.connections)
        self.parts = parts
    }

    /// Returns the connection for a media type; nil if the output does not support the media type.
    public func connection(with mediaType: MediaType) -> CaptureConnection? {
        connections.first { $0.mediaType == mediaType }
    }

    /// The image request, checked before anything runs; nil if the output accepts every frame.
    package var checkedRequest: ImageRequest? { parts.lazy.compactMap(\.checkedRequest).first }

    /// Prepares for the stop of the session: readers receive no further frames.
    ///
    /// - Returns: The callbacks that still run, which the session waits for.
    package func sessionWillStop() -> [any RunningCallback] {
        guard parts.isEmpty else {
            let composite = self as? any CompositeOutput
            composite?.partsWillStop()
            defer { composite?.partsDidStop() }
            return parts.flatMap { $0.sessionWillStop() }
        }
        for connection in connections {
            for reader in connection.readers { connection.detach(reader) }
            connection.renew()
        }
        return []
    }

    /// Prepares for the change of sources, which discards the frames that readers have not taken.
    func sourcesWillChange() {
        (self as? any CompositeOutput)?.takeGathered()
    }

    /// Prepares for the start of the session: readers that live as long as the output start new statistics.
    package func sessionWillStart() {
        guard parts.isEmpty else { return parts.forEach { $0.sessionWillStart() } }
        for connection in connections { connection.renew() }
    }
}

/// An output with parts that reacts to the stop of the session, and may have destinations of its own.
///
/// A protocol, since other targets cannot override methods that are not public.
package protocol CompositeOutput: CaptureOutput {
    /// Reacts to the stop before the readers of the parts are detached.
    func partsWillStop()
    /// Reacts to the stop after the readers of the parts were detached; their callbacks may still run.
    func partsDidStop()
    /// Takes the frames that it has gathered, before a change of sources discards them.
    func takeGathered()
    /// The movies or destinations that receive its compressed frames.
    var destinations: [SessionLedger.Destination] { get }
}

extension CompositeOutput {
    /// Does nothing.
    package func partsWillStop() {}

    /// Does nothing.
    package func takeGathered() {}

    /// None.
    package var destinations: [SessionLedger.Destination] { [] }
}
