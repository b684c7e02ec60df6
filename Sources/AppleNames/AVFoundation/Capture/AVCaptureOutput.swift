// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import Obscura
internal import ObscuraBase

/// A destination of media in a session.
public class AVCaptureOutput: NSObject, @unchecked Sendable {  // Its properties are constants and a lock.
    package let output: CaptureOutput
    private let made = Lock<[ObjectIdentifier: AVCaptureConnection]>([:])
    /// Returns the devices of the session to which the output was added; nil without a session.
    private let devices = Lock<(@Sendable () -> [AVCaptureDevice])?>(nil)

    package init(_ output: CaptureOutput) {
        self.output = output
    }

    /// Notes that the output was added to a session, or removed: connections exist from then on, although the session
    /// applies the change with the end of its configuration.
    func join(_ devices: (@Sendable () -> [AVCaptureDevice])?) { self.devices.withLock { $0 = devices } }

    /// The camera of the session.
    var camera: AVCaptureDevice? { devices.withLock { $0 }?().first { $0.hasMediaType(.video) } }

    /// The connections to inputs of the session.
    public var connections: [AVCaptureConnection] {
        let devices = devices.withLock { $0 }?() ?? []
        return output.connections
            .filter { connection in devices.contains { $0.device.mediaTypes.contains(connection.mediaType) } }
            .map(connection)
    }

    /// Returns the connection for a media type; nil while the output is in no session with such an input.
    public func connection(with mediaType: AVMediaType) -> AVCaptureConnection? {
        connections.first { $0.connection.mediaType == mediaType.mediaType }
    }

    /// Returns the object of a connection, which is the same each time.
    func connection(_ connection: CaptureConnection) -> AVCaptureConnection {
        made.withLock { made in
            let known = made[ObjectIdentifier(connection)] ?? AVCaptureConnection(connection, of: self)
            made[ObjectIdentifier(connection)] = known
            return known
        }
    }
}

extension AVCaptureConnection {
    /// The output; nil after its end.
    public var output: AVCaptureOutput? { owner as? AVCaptureOutput }
}
