// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import Obscura
internal import ObscuraBase

/// A destination of media in a session.
public class AVCaptureOutput: NSObject, @unchecked Sendable {  // Its properties are constants and a lock.
    package let output: CaptureOutput
    let adjustsMirroring: Bool
    /// The session that contains the output.
    private struct Place: Sendable {
        weak var session: CaptureSession?
        /// Returns the inputs from which the output receives; nil without a session.
        var finding: (@Sendable () -> [MediaType: AVCaptureDeviceInput])?
    }

    private let made = Lock<[ObjectIdentifier: AVCaptureConnection]>([:])
    private let place = Lock(Place())

    /// - Parameter adjustsMirroring: Whether connections mirror the pictures of a front camera, unless they are set
    ///   otherwise.
    package init(_ output: CaptureOutput, adjustsMirroring: Bool = false) {
        self.output = output
        self.adjustsMirroring = adjustsMirroring
    }

    /// Notes that the output was added to a session: connections exist from then on, although the session applies the
    /// change with the end of its configuration.
    ///
    /// - Parameter finding: Returns the inputs from which the output receives.
    func join(_ session: CaptureSession, _ finding: @escaping @Sendable () -> [MediaType: AVCaptureDeviceInput]) {
        place.withLock { $0 = Place(session: session, finding: finding) }
    }

    /// Notes that the output was removed from its session.
    func leave() { place.withLock { $0 = Place() } }

    /// The session that contains the output.
    var session: CaptureSession? { place.withLock { $0 }.session }

    /// The inputs from which the output receives.
    var sources: [MediaType: AVCaptureDeviceInput] { place.withLock { $0.finding }?() ?? [:] }

    /// The camera of the output.
    var camera: AVCaptureDevice? { sources[.video]?.device }

    /// The connections to inputs of the session.
    public var connections: [AVCaptureConnection] {
        let sources = sources
        return output.connections.filter { sources[$0.mediaType] != nil }.map(connection)
    }

    /// Returns the connection for a media type; nil if the output is not in a session with an input of this type.
    public func connection(with mediaType: AVMediaType) -> AVCaptureConnection? {
        connections.first { $0.connection.mediaType == mediaType.mediaType }
    }

    /// Lets media pass through the connections that have an input, and through no others.
    ///
    /// - Parameters:
    ///   - sources: the inputs; nil if the session connects the output alone, or not any more.
    ///   - isEnabling: whether connections are enabled as well.
    func link(_ sources: [MediaType: AVCaptureDeviceInput]?, isEnabling: Bool = true) {
        for connection in output.connections {
            let isLinked = sources.map { $0[connection.mediaType] != nil } ?? true
            if !isLinked || isEnabling { self.connection(connection).link(isLinked) }
        }
    }

    /// Makes an object that a program has created the one of its connection.
    func keep(_ connection: AVCaptureConnection) {
        made.withLock { $0[ObjectIdentifier(connection.connection)] = connection }
    }

    /// Returns the object of a connection, which is the same each time.
    func connection(_ connection: CaptureConnection) -> AVCaptureConnection {
        made.withLock { made in
            let known =
                made[ObjectIdentifier(connection)]
                ?? AVCaptureConnection(connection, of: self, adjustsMirroring: adjustsMirroring)
            made[ObjectIdentifier(connection)] = known
            return known
        }
    }
}

extension AVCaptureConnection {
    /// The output; nil after it was released.
    public var output: AVCaptureOutput? { owner as? AVCaptureOutput }
}
